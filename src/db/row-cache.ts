import type { Db } from './database.ts';

/** What is kept of one hub product, each part until a row of its table moves. */
export interface ProductSlot {
  product?: unknown;
  bindings?: unknown;
  variants?: unknown;
  variantBindings?: unknown;
  /** Put together of the four by a reader; gone as soon as one of them is. */
  whole?: unknown;
}

/** Characters of stored JSON whose parsed form is kept; at most some ten times that in memory. */
const CHARS_MAX = 1_000_000;
const ENTRIES_MAX = 10_000;

const WATCHED = {
  product: ['id', "''"],
  product_binding: ['product_id', "''"],
  variant: ['product_id', 'id'],
  variant_binding: ['product_id', 'variant_id'],
} as const;
type Watched = keyof typeof WATCHED;

/**
 * Answers that are asked for at every step and seldom change, each kept until any row of its tables moves: pairs; stores; what is open
 * of problems and conflicts; which records and stock items are bound to what (columns that a write of stock leaves alone).
 */
const ANSWERS = {
  pairs: { pair: [] },
  stores: { store: [] },
  open: { problem: [], conflict: [] },
  bound: {
    product_binding: ['product_id', 'side', 'pair_id', 'store_id', 'external_id'],
    variant_binding: ['variant_id', 'side', 'pair_id', 'store_id', 'external_id', 'stock_id'],
  },
} as const satisfies Record<string, Record<string, readonly string[]>>;
type Answers = keyof typeof ANSWERS;

const PART_OF = {
  product: 'product',
  product_binding: 'bindings',
  variant: 'variants',
  variant_binding: 'variantBindings',
} as const;

/**
 * Parsed rows that every pass reads several times. One process owns the file (`process-lock.ts`) and writes it over one connection, whose
 * temporary triggers name each row that is inserted, updated or deleted, by whatever statement: what is here is what a query
 * would give. A rollback forgets everything. What a reader gets is shared: nobody changes it.
 */
export class RowCache {
  readonly #slots = new Map<string, ProductSlot>();
  readonly #variants = new Map<string, { row?: unknown; bindings?: unknown }>();
  readonly #answers: Readonly<Record<Answers, Map<string, unknown>>> = {
    pairs: new Map(),
    stores: new Map(),
    open: new Map(),
    bound: new Map(),
  };
  #chars = 0;

  /** The slot of a product, to read from and to fill. `chars` are added to what is kept. */
  slot(productId: string): ProductSlot {
    const known = this.#slots.get(productId);
    if (known !== undefined) return known;
    if (this.#chars > CHARS_MAX || this.#slots.size >= ENTRIES_MAX) this.clear();
    const slot: ProductSlot = {};
    this.#slots.set(productId, slot);
    return slot;
  }

  weigh(chars: number): void {
    this.#chars += chars;
  }

  variant(variantId: string): { row?: unknown; bindings?: unknown } {
    const known = this.#variants.get(variantId);
    if (known !== undefined) return known;
    if (this.#variants.size >= ENTRIES_MAX) this.#variants.clear();
    const slot = {};
    this.#variants.set(variantId, slot);
    return slot;
  }

  answer<T>(kind: Answers, key: string, load: () => T): T {
    const answers = this.#answers[kind];
    const known = answers.get(key) as T | undefined;
    if (known !== undefined) return known;
    if (answers.size >= ENTRIES_MAX) answers.clear();
    const loaded = load();
    answers.set(key, loaded);
    return loaded;
  }

  moved(table: Watched, id: string, variantId: string): void {
    const slot = this.#slots.get(id);
    if (slot !== undefined) {
      delete slot[PART_OF[table]];
      delete slot.whole;
    }
    const known = variantId === '' ? undefined : this.#variants.get(variantId);
    if (known !== undefined) delete known[table === 'variant' ? 'row' : 'bindings'];
  }

  changed(kind: Answers): void {
    this.#answers[kind].clear();
  }

  clear(): void {
    this.#slots.clear();
    this.#variants.clear();
    for (const answers of Object.values(this.#answers)) answers.clear();
    this.#chars = 0;
  }
}

const KEY = Symbol('rows');

/** The database's cache; null where it can't be set up just now (inside a transaction, whose rollback would take the triggers along). */
export function rowCache(db: Db): RowCache | null {
  const known = db.statements.get(KEY) as RowCache | undefined;
  if (known !== undefined) return known;
  if (db.connection.inTransaction) return null;
  const cache = new RowCache();
  db.connection.function('row_moved', (table: Watched, id: string, variantId: string) => {
    cache.moved(table, id, variantId);
    return null;
  });
  db.connection.function('answers_changed', (kind: Answers) => {
    cache.changed(kind);
    return null;
  });
  db.connection.exec([...rowTriggers(), ...answerTriggers()].join('\n'));
  db.statements.set(KEY, cache);
  return cache;
}

function rowTriggers(): readonly string[] {
  return Object.entries(WATCHED).flatMap(([table, [id, variant]]) =>
    (['INSERT', 'UPDATE', 'DELETE'] as const).map((event) => {
      const row = event === 'INSERT' ? 'NEW' : 'OLD';
      const of = (column: string) => (column === "''" ? column : `${row}.${column}`);
      return `CREATE TEMP TRIGGER moved_${table}_${event} AFTER ${event} ON main.${table} BEGIN SELECT row_moved('${table}', ${of(id)}, ${of(variant)}); END;`;
    }),
  );
}

function answerTriggers(): readonly string[] {
  return Object.entries(ANSWERS).flatMap(([kind, tables]) =>
    Object.entries<readonly string[]>(tables).flatMap(([table, columns]) =>
      ['INSERT', columns.length === 0 ? 'UPDATE' : `UPDATE OF ${columns.join(', ')}`, 'DELETE'].map(
        (event) =>
          `CREATE TEMP TRIGGER ${kind}_${table}_${event.slice(0, 6)} AFTER ${event} ON main.${table} BEGIN SELECT answers_changed('${kind}'); END;`,
      ),
    ),
  );
}

/** What `load` gives, kept while nothing that it depends on moves. The key names the question and its parameters. */
export function keptAnswer<T>(db: Db, kind: Answers, key: string, load: () => T): T {
  const cache = rowCache(db);
  return cache === null ? load() : cache.answer(kind, key, load);
}

/** After a rollback, and where a process ends that leaves its database open (the simulator's do). */
export function forgetRows(db: Db): void {
  (db.statements.get(KEY) as RowCache | undefined)?.clear();
}
