import { sanitizeText, sanitizeTitle, stripSlashes, termName } from './php-text.ts';
import type { AttributeRecord, Taxonomy, TermRecord } from './records.ts';
import { RestError } from './rest-error.ts';

export const DEFAULT_CATEGORY_ID = 15;

/** utf8mb4_unicode_520_ci, for Latin, Greek and Cyrillic letters; the vowel signs of others count there. */
const plainKey = (name: string) =>
  name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]+/g, '')
    .toLowerCase()
    .replace(/\u00df/g, 'ss')
    .replace(/\u00e6/g, 'ae')
    .replace(/\u00f8/g, 'o')
    .replace(/\u0142/g, 'l');

export interface TermFields {
  readonly name: string;
  readonly slug?: string;
  readonly description?: string;
  readonly parent?: number;
  readonly display?: string;
  readonly menuOrder?: number;
}

/** Terms of all taxonomies share one id sequence, as in WordPress; global attributes have their own. */
export class TermStore {
  readonly terms = new Map<number, TermRecord>();
  readonly attributes = new Map<number, AttributeRecord>();
  readonly #byName = new Map<string, number>();
  readonly #bySlug = new Map<string, number>();
  #nextTermId = DEFAULT_CATEGORY_ID;
  #nextAttributeId = 1;

  constructor() {
    this.insert('product_cat', { name: 'Uncategorized' });
  }

  find(taxonomy: Taxonomy, id: number): TermRecord | undefined {
    const term = this.terms.get(id);
    return term?.taxonomy === taxonomy ? term : undefined;
  }

  list(taxonomy: Taxonomy): TermRecord[] {
    return [...this.terms.values()].filter((term) => term.taxonomy === taxonomy);
  }

  /** The database compares names without case. */
  findByName(taxonomy: Taxonomy, name: string, parent = 0): TermRecord | undefined {
    const id = this.#byName.get(nameKey(taxonomy, termName(name), parent));
    return id === undefined ? undefined : this.terms.get(id);
  }

  /** get_term_by( 'name' ): the database compares without accents either. */
  findAlike(taxonomy: Taxonomy, name: string): TermRecord | undefined {
    const key = plainKey(termName(name));
    return this.findByName(taxonomy, name) ?? this.list(taxonomy).find((term) => plainKey(term.name) === key);
  }

  findBySlug(taxonomy: Taxonomy, slug: string): TermRecord | undefined {
    const id = this.#bySlug.get(`${taxonomy} ${slug}`);
    return id === undefined ? undefined : this.terms.get(id);
  }

  /** Finds or makes a term by its name, the way product writes do. Undefined when there is no name left. */
  ensure(taxonomy: Taxonomy, name: string): TermRecord | undefined {
    if (sanitizeText(name) === '') return undefined;
    return this.findByName(taxonomy, name) ?? this.insert(taxonomy, { name });
  }

  /** Throws `term_exists` (with the id of the other) or `empty_term_name`. */
  insert(taxonomy: Taxonomy, { name: sent, ...fields }: TermFields): TermRecord {
    const plain = stripSlashes(sent);
    const name = termName(plain);
    if (name === '') throw new RestError('empty_term_name', 'A name is required for this term.', 400);
    if ([...name].length > NAME_MAX)
      throw new RestError('db_insert_error', 'Could not insert term into the database.', 400);
    const parent = fields.parent ?? 0;
    const wantedSlug = sanitizeTitle(fields.slug === undefined || fields.slug === '' ? name : fields.slug);
    const twin = this.findByName(taxonomy, plain, parent);
    if (twin && (!fields.slug || twin.slug === wantedSlug)) throw termExists(taxonomy, twin.id);
    const term: TermRecord = {
      id: this.#nextTermId++,
      taxonomy,
      name,
      slug: this.#uniqueSlug(taxonomy, wantedSlug),
      description: fields.description ?? '',
      parent,
      display: fields.display ?? 'default',
      menuOrder: fields.menuOrder ?? 0,
      imageId: 0,
    };
    this.terms.set(term.id, term);
    this.#index(term);
    return term;
  }

  update(term: TermRecord, fields: Partial<TermFields>): void {
    const name = fields.name === undefined ? term.name : termName(stripSlashes(fields.name));
    const parent = fields.parent ?? term.parent;
    const twinId = this.#byName.get(nameKey(term.taxonomy, name, parent));
    if (twinId !== undefined && twinId !== term.id) throw termExists(term.taxonomy, twinId);
    this.#unindex(term);
    term.name = name;
    term.parent = parent;
    if (fields.slug !== undefined) term.slug = this.#uniqueSlug(term.taxonomy, sanitizeTitle(fields.slug));
    if (fields.description !== undefined) term.description = fields.description;
    if (fields.display !== undefined) term.display = fields.display;
    if (fields.menuOrder !== undefined) term.menuOrder = fields.menuOrder;
    this.#index(term);
  }

  remove(term: TermRecord): void {
    this.#unindex(term);
    this.terms.delete(term.id);
  }

  insertAttribute(fields: Omit<AttributeRecord, 'id'>): AttributeRecord {
    const slug = `pa_${sanitizeTitle(fields.slug === '' ? fields.name : fields.slug.replace(/^pa_/, ''))}`;
    for (const other of this.attributes.values()) {
      if (other.slug !== slug) continue;
      const shown = slug.slice(3);
      throw new RestError(
        'woocommerce_rest_cannot_create',
        `Slug "${shown}" is already in use. Change it, please.`,
        400,
      );
    }
    const attribute = { ...fields, id: this.#nextAttributeId++, name: sanitizeText(fields.name), slug };
    this.attributes.set(attribute.id, attribute);
    return attribute;
  }

  attributeBySlug(slug: string): AttributeRecord | undefined {
    for (const attribute of this.attributes.values()) if (attribute.slug === slug) return attribute;
    return undefined;
  }

  #uniqueSlug(taxonomy: Taxonomy, slug: string): string {
    let candidate = slug;
    for (let n = 2; this.#bySlug.has(`${taxonomy} ${candidate}`); n++) candidate = `${slug}-${n}`;
    return candidate;
  }

  #index(term: TermRecord): void {
    this.#byName.set(nameKey(term.taxonomy, term.name, term.parent), term.id);
    this.#bySlug.set(`${term.taxonomy} ${term.slug}`, term.id);
  }

  #unindex(term: TermRecord): void {
    this.#byName.delete(nameKey(term.taxonomy, term.name, term.parent));
    this.#bySlug.delete(`${term.taxonomy} ${term.slug}`);
  }
}

/** Characters that the database keeps, entities included. */
const NAME_MAX = 200;

/** Terms of categories and brands live under a parent, so the message speaks of it. */
function isTree(taxonomy: Taxonomy): boolean {
  return taxonomy === 'product_cat' || taxonomy === 'product_brand';
}

function nameKey(taxonomy: Taxonomy, name: string, parent: number): string {
  return `${taxonomy} ${isTree(taxonomy) ? parent : 0} ${name.toLowerCase()}`;
}

function termExists(taxonomy: Taxonomy, id: number): RestError {
  const where = isTree(taxonomy) ? 'with this parent' : 'in this taxonomy';
  return new RestError('term_exists', `A term with the name provided already exists ${where}.`, 400, {
    resource_id: id,
  });
}
