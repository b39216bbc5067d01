import { badRequest, notSupported } from '../graphql/api-error.ts';
import { type Comparator, parseSearchQuery, type SearchNode, type SearchTerm } from './search-query.ts';

export interface SearchWarning {
  readonly field: string;
  readonly message: string;
  readonly code: string;
}

export interface SearchField<T> {
  /** exact: whole value, ignoring case. token: by words, so "AB-1" finds "AB-1-X" too. */
  readonly kind: 'exact' | 'token' | 'date' | 'number';
  read(record: T): readonly (string | number | null)[];
}

export interface SearchTable<T> {
  readonly fields: Readonly<Record<string, SearchField<T>>>;
  /** Where a bare word looks. */
  readonly defaults: readonly string[];
  /** Real search fields that this sandbox does not evaluate; better an error than a wrong answer. */
  readonly unsupported?: readonly string[];
}

export interface CompiledSearch<T> {
  readonly warnings: readonly SearchWarning[];
  matches(record: T): boolean;
}

/**
 * An unknown field is ignored with a warning, so its term matches everything: that is how the real search hands out
 * unfiltered rows (facts, section 7).
 */
export function compileSearch<T>(query: string, table: SearchTable<T>): CompiledSearch<T> {
  const warnings: SearchWarning[] = [];
  const predicate = compileNode(parseSearchQuery(query), table, warnings);
  return { warnings, matches: predicate };
}

function compileNode<T>(node: SearchNode, table: SearchTable<T>, warnings: SearchWarning[]): (record: T) => boolean {
  if (node.kind === 'term') return compileTerm(node, table, warnings);
  if (node.kind === 'not') {
    const inside = compileNode(node.item, table, warnings);
    return (record) => !inside(record);
  }
  const items = node.items.map((item) => compileNode(item, table, warnings));
  return node.kind === 'and'
    ? (record) => items.every((item) => item(record))
    : (record) => items.some((item) => item(record));
}

function compileTerm<T>(term: SearchTerm, table: SearchTable<T>, warnings: SearchWarning[]): (record: T) => boolean {
  if (term.field === null || term.field === 'default') {
    if (term.value === '' || term.value === '*') return () => true;
    const fields = table.defaults.flatMap((name) => table.fields[name] ?? []);
    return (record) =>
      fields.some((field) => field.read(record).some((value) => tokensMatch(String(value ?? ''), term.value, true)));
  }
  if (table.unsupported?.includes(term.field)) throw notSupported(`Search field ${term.field}`);
  const field = table.fields[term.field];
  if (!field) {
    warnings.push({ field: term.field, message: 'Invalid search field for this query.', code: 'invalid_field' });
    return () => true;
  }
  if (term.value === '*' && term.comparator === '=')
    return (record) => field.read(record).some((value) => value !== null && value !== '');
  switch (field.kind) {
    case 'date': {
      const wanted = Date.parse(/^\d{4}-\d{2}-\d{2}$/.test(term.value) ? `${term.value}T00:00:00Z` : term.value);
      if (Number.isNaN(wanted)) throw badRequest(`Invalid timestamp for query filter \`${term.field}\`.`);
      // The index holds whole seconds.
      const wantedSecond = Math.floor(wanted / 1000);
      return (record) =>
        field
          .read(record)
          .some(
            (value) => typeof value === 'number' && compare(Math.floor(value / 1000), wantedSecond, term.comparator),
          );
    }
    case 'number': {
      const wanted = term.value.split(',').map(Number);
      if (term.comparator === '=')
        return (record) => field.read(record).some((value) => typeof value === 'number' && wanted.includes(value));
      return (record) =>
        field
          .read(record)
          .some((value) => typeof value === 'number' && compare(value, wanted[0] ?? Number.NaN, term.comparator));
    }
    case 'exact': {
      const wanted = term.value
        .toLowerCase()
        .split(',')
        .map((word) => word.trim());
      return (record) =>
        field.read(record).some((value) => {
          const text = String(value ?? '').toLowerCase();
          return term.isPrefix
            ? text.startsWith(wanted[0] ?? '')
            : wanted.includes(text) || text === term.value.toLowerCase();
        });
    }
    case 'token':
      return (record) =>
        field.read(record).some((value) => tokensMatch(String(value ?? ''), term.value, term.isPrefix));
  }
}

function compare(left: number, right: number, comparator: Comparator): boolean {
  switch (comparator) {
    case '=':
      return left === right;
    case '>':
      return left > right;
    case '>=':
      return left >= right;
    case '<':
      return left < right;
    case '<=':
      return left <= right;
  }
}

function tokensOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** True when the words of `wanted` stand next to each other in `text`. */
function tokensMatch(text: string, wanted: string, isPrefix: boolean): boolean {
  const have = tokensOf(text);
  const want = tokensOf(wanted);
  if (want.length === 0) return false;
  for (let start = 0; start + want.length <= have.length; start += 1) {
    const fits = want.every((word, index) => {
      const candidate = have[start + index] ?? '';
      return isPrefix && index === want.length - 1 ? candidate.startsWith(word) : candidate === word;
    });
    if (fits) return true;
  }
  return false;
}
