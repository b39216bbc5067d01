import { absInt, toText } from './decimal.ts';
import { isObject, isSet, type Json, type JsonObject } from './json.ts';
import { sanitizeText } from './php-text.ts';
import type { ImageRecord, ProductRecord } from './records.ts';
import { RestError } from './rest-error.ts';
import type { Site } from './site.ts';
import { naive } from './site-time.ts';

/** An entry with an id keeps that image; one with only a `src` is uploaded again, every time. */
export function writeImages(site: Site, record: ProductRecord, items: readonly Json[]): void {
  record.imageIds = items.filter(isObject).map((item) => attach(site, item, 'product').id);
}

export function writeVariationImage(site: Site, record: ProductRecord, item: Json): void {
  if (!isObject(item) || (absInt(item['id']) === 0 && !isSet(item['src']))) record.imageIds = [];
  else record.imageIds = [attach(site, item, 'variation').id];
}

function attach(site: Site, item: JsonObject, kind: 'product' | 'variation'): ImageRecord {
  const id = absInt(item['id']);
  const image = id === 0 && isSet(item['src']) ? upload(site, toText(item['src']), kind) : site.products.images.get(id);
  if (!image) throw new RestError(`woocommerce_${kind}_invalid_image_id`, `#${id} is an invalid image ID.`, 400);
  if (toText(item['alt']) !== '') image.alt = sanitizeText(toText(item['alt']));
  if (toText(item['name']) !== '') {
    image.name = toText(item['name']);
    image.modifiedS = site.nowS();
  }
  return image;
}

function upload(site: Site, src: string, kind: 'product' | 'variation'): ImageRecord {
  const problem = /^https?:\/\/[^/]/.test(src) ? site.settings.imageError(src) : 'A valid URL was not provided.';
  if (problem !== undefined) {
    const message = `Error getting remote image ${src}. Error: ${problem}`;
    throw new RestError(`woocommerce_${kind}_image_upload_error`, message, 400);
  }
  const file = (src.split(/[?#]/)[0] ?? '').split('/').pop() || 'image';
  const nowS = site.nowS();
  const [year = '', month = ''] = site.time.local(nowS).split('-');
  const id = site.products.nextPostId();
  const image: ImageRecord = {
    id,
    createdS: nowS,
    modifiedS: nowS,
    src: `/wp-content/uploads/${year}/${month}/${freeName(site, file)}`,
    name: file.replace(/\.[^.]*$/, ''),
    alt: '',
  };
  site.products.images.set(id, image);
  return image;
}

function freeName(site: Site, file: string): string {
  const taken = site.products.imageFiles;
  const [, stem = file, extension = ''] = /^(.*?)(\.[^.]*)?$/.exec(file) ?? [];
  let name = file;
  for (let n = 1; taken.has(name); n++) name = `${stem}-${n}${extension}`;
  taken.add(name);
  return name;
}

/** The local dates of an image have the site's offset applied twice; the *_gmt ones are right. */
export function imageView(site: Site, image: ImageRecord): JsonObject {
  const twice = (utcS: number): string => naive(site.time.toLocal(site.time.toLocal(utcS)));
  return {
    id: image.id,
    date_created: twice(image.createdS),
    date_created_gmt: naive(image.createdS),
    date_modified: twice(image.modifiedS),
    date_modified_gmt: naive(image.modifiedS),
    src: site.url(image.src),
    name: image.name,
    alt: image.alt,
  };
}

export function galleryImageView(site: Site, image: ImageRecord): JsonObject {
  return {
    ...imageView(site, image),
    srcset: '',
    sizes: '(max-width: 48px) 100vw, 48px',
    thumbnail: site.url(image.src),
  };
}
