import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';

type Unpacker = (body: Uint8Array, options: { maxOutputLength: number }) => Promise<Buffer>;

const zip = promisify(gunzip);
const UNPACKERS: Readonly<Record<string, readonly Unpacker[]>> = {
  gzip: [zip],
  'x-gzip': [zip],
  deflate: [promisify(inflate), promisify(inflateRaw)],
  br: [promisify(brotliDecompress)],
};
/** How often a body may be packed: by a plugin, by PHP, by the web server and by what stands before it. */
const LAYERS_MAX = 4;

/**
 * A body without its compression. Plugins and servers pack what is packed, leave the label out, or put it on what is plain: what a label does not open, and
 * begins like text, is taken for text. Throws `RangeError` past `bytesMax`, and what zlib throws at what is neither.
 */
export async function unpack(body: Uint8Array, encoding: string | undefined, bytesMax: number): Promise<Uint8Array> {
  const labels = (encoding ?? '').toLowerCase().split(',');
  let rest = body;
  for (let layers = 0; layers < LAYERS_MAX && rest.byteLength > 0; layers += 1) {
    const label = labels.pop()?.trim() ?? '';
    const labelled = UNPACKERS[label] ?? [];
    // Brotli has no beginning of its own, and may begin like that: whether it is gzip is told by its checksum.
    const unpackers = isZipped(rest) ? [zip, ...labelled] : labelled;
    if (unpackers.length === 0 && labels.length === 0) return rest;
    if (unpackers.length > 0) rest = await opened(rest, unpackers, bytesMax);
  }
  return rest;
}

async function opened(body: Uint8Array, unpackers: readonly Unpacker[], maxOutputLength: number): Promise<Uint8Array> {
  let failure: unknown;
  for (const unpacker of unpackers) {
    try {
      return await unpacker(body, { maxOutputLength });
    } catch (error) {
      if (error instanceof RangeError) throw error;
      failure ??= error;
    }
  }
  if (isText(body)) return body;
  throw failure;
}

function isZipped(body: Uint8Array): boolean {
  return body[0] === 0x1f && body[1] === 0x8b;
}

/** As JSON or a page begin, white space and a byte order mark before them or not. */
function isText(body: Uint8Array): boolean {
  return /^\s*[{["<]/.test(new TextDecoder().decode(body.subarray(0, 64)));
}
