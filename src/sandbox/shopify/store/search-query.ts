/** Shopify's search syntax: `field:value`, comparators, quotes, AND / OR / NOT, parentheses, `prefix*`. White space means AND. */

export type Comparator = '=' | '>' | '>=' | '<' | '<=';

export interface SearchTerm {
  readonly kind: 'term';
  /** Null for a bare word, which looks in the default fields. */
  readonly field: string | null;
  readonly comparator: Comparator;
  readonly value: string;
  readonly isPrefix: boolean;
}

export type SearchNode =
  | SearchTerm
  | { readonly kind: 'and' | 'or'; readonly items: readonly SearchNode[] }
  | { readonly kind: 'not'; readonly item: SearchNode };

type Token = { readonly kind: '(' | ')' | 'AND' | 'OR' | 'NOT' } | SearchTerm;

export function parseSearchQuery(query: string): SearchNode {
  const tokens = tokenize(query);
  let at = 0;

  const parseOr = (): SearchNode => {
    const items = [parseAnd()];
    while (tokens[at]?.kind === 'OR') {
      at += 1;
      items.push(parseAnd());
    }
    return items.length === 1 && items[0] ? items[0] : { kind: 'or', items };
  };

  const parseAnd = (): SearchNode => {
    const items: SearchNode[] = [];
    for (;;) {
      const token = tokens[at];
      if (!token || token.kind === ')' || token.kind === 'OR') break;
      if (token.kind === 'AND') {
        at += 1;
        continue;
      }
      items.push(parseUnary());
    }
    return items.length === 1 && items[0] ? items[0] : { kind: 'and', items };
  };

  const parseUnary = (): SearchNode => {
    const token = tokens[at];
    at += 1;
    if (token?.kind === 'NOT') return { kind: 'not', item: parseUnary() };
    if (token?.kind === '(') {
      const inside = parseOr();
      if (tokens[at]?.kind === ')') at += 1;
      return inside;
    }
    return token?.kind === 'term' ? token : { kind: 'and', items: [] };
  };

  const items: SearchNode[] = [];
  while (at < tokens.length) {
    items.push(parseOr());
    // A closing bracket without an opening one is skipped, not an error.
    if (tokens[at]?.kind === ')') at += 1;
  }
  return items.length === 1 && items[0] ? items[0] : { kind: 'and', items };
}

function tokenize(query: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < query.length) {
    const char = query.charAt(at);
    if (/\s/.test(char)) at += 1;
    else if (char === '(' || char === ')') {
      tokens.push({ kind: char });
      at += 1;
    } else if (char === '-' && /[\w'"(]/.test(query.charAt(at + 1))) {
      tokens.push({ kind: 'NOT' });
      at += 1;
    } else {
      const read = readTerm(query, at);
      at = read.end;
      if (read.term.field === null && !read.quoted && ['AND', 'OR', 'NOT'].includes(read.term.value)) {
        tokens.push({ kind: read.term.value as 'AND' | 'OR' | 'NOT' });
      } else tokens.push(read.term);
    }
  }
  return tokens;
}

function readTerm(query: string, start: number): { term: SearchTerm; quoted: boolean; end: number } {
  const fieldMatch = /^([A-Za-z_][\w.$-]*):/.exec(query.slice(start));
  const field = fieldMatch?.[1] ?? null;
  let at = start + (fieldMatch?.[0].length ?? 0);
  const comparatorMatch = field === null ? null : /^(>=|<=|>|<|=)/.exec(query.slice(at));
  const comparator = (comparatorMatch?.[1] ?? '=') as Comparator;
  at += comparatorMatch?.[0].length ?? 0;
  const quote = query.charAt(at);
  if (quote === '"' || quote === "'") {
    let value = '';
    at += 1;
    while (at < query.length && query.charAt(at) !== quote) {
      if (query.charAt(at) === '\\' && at + 1 < query.length) at += 1;
      value += query.charAt(at);
      at += 1;
    }
    return { term: { kind: 'term', field, comparator, value, isPrefix: false }, quoted: true, end: at + 1 };
  }
  let value = '';
  while (at < query.length && !/[\s()]/.test(query.charAt(at))) {
    if (query.charAt(at) === '\\' && at + 1 < query.length) at += 1;
    value += query.charAt(at);
    at += 1;
  }
  const isPrefix = value.length > 1 && value.endsWith('*');
  return {
    term: { kind: 'term', field, comparator, value: isPrefix ? value.slice(0, -1) : value, isPrefix },
    quoted: false,
    end: at,
  };
}
