import type { Db } from './database.ts';

/** What is kept of one hub product, each part until a row of its table moves. */
export class ProductSlot {
  product: unknown = undefined;
  bindings: unknown = undefined;
  variants: unknown = undefined;
  variantBindings: unknown = undefined;
  /** Put together of the four by a reader; gone as soon as one of them is. */
  whole: unknown = undefined;
  /** By column, what its text was last parsed to: most rows move in one of their columns and are read again whole. */
  readonly json = new Map<string, { readonly text: string; readonly value: unknown }>();
}

/** What is kept of one variant, in the same way. */
class VariantSlot {
  row: unknown = undefined;
  bindings: unknown = undefined;
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
 * Answers that are asked for at every step and seldom change: pairs; stores; which of them are one shop; what is open of problems and conflicts; which records and stock
 * items are bound to what. Each is kept until a row of its tables moves that bears its topic, now or before, in one of the columns `topics`; none
 * named: until any row moves. `of`: the columns that count (a write of stock leaves alone what is bound); none named: all.
 */
const ANSWERS = {
  pairs: { pair: { of: [], topics: [] } },
  stores: { store: { of: [], topics: [] } },
  shops: { store: { of: ['platform', 'address', 'identity'], topics: [] } },
  open: { problem: { of: [], topics: ['subject', 'product_id'] }, conflict: { of: [], topics: ['product_id'] } },
  bound: {
    product_binding: { of: ['product_id', 'side', 'pair_id', 'store_id', 'external_id'], topics: ['external_id'] },
    variant_binding: {
      of: ['variant_id', 'side', 'pair_id', 'store_id', 'external_id', 'stock_id'],
      topics: ['external_id', 'stock_id'],
    },
  },
} as const satisfies Record<string, Record<string, AnswerTable>>;

interface AnswerTable {
  readonly of: readonly string[];
  readonly topics: readonly string[];
}

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
 * would give. A rollback forgets what its transaction moved. What a reader gets is shared: nobody changes it.
 */
class RowCache {
  readonly #slots = new Map<string, ProductSlot>();
  readonly #variants = new Map<string, VariantSlot>();
  /** By topic, then by question. */
  readonly #answers: Readonly<Record<Answers, Map<string, Map<string, unknown>>>> = {
    pairs: new Map(),
    stores: new Map(),
    shops: new Map(),
    open: new Map(),
    bound: new Map(),
  };
  #chars = 0;
  /** Since the last commit, up to `ENTRIES_MAX`: what was kept of it meanwhile goes with a rollback. */
  readonly #moved: { readonly table: Watched; readonly id: string; readonly variantId: string }[] = [];
  readonly #changed: { readonly kind: Answers; readonly topics: readonly (string | null)[] }[] = [];

  /** The slot of a product, to read from and to fill. `chars` are added to what is kept. */
  slot(productId: string): ProductSlot {
    const known = this.#slots.get(productId);
    if (known !== undefined) return known;
    if (this.#chars > CHARS_MAX || this.#slots.size >= ENTRIES_MAX) this.clear();
    const slot = new ProductSlot();
    this.#slots.set(productId, slot);
    return slot;
  }

  weigh(chars: number): void {
    this.#chars += chars;
  }

  variant(variantId: string): VariantSlot {
    const known = this.#variants.get(variantId);
    if (known !== undefined) return known;
    if (this.#variants.size >= ENTRIES_MAX) this.#variants.clear();
    const slot = new VariantSlot();
    this.#variants.set(variantId, slot);
    return slot;
  }

  answer<T>(kind: Answers, topic: string, question: string, load: () => T): T {
    const topics = this.#answers[kind];
    const known = topics.get(topic)?.get(question) as T | undefined;
    if (known !== undefined) return known;
    const loaded = load();
    if (topics.size >= ENTRIES_MAX) topics.clear();
    const answers = topics.get(topic);
    if (answers === undefined) topics.set(topic, new Map([[question, loaded]]));
    else answers.set(question, loaded);
    return loaded;
  }

  moved(table: Watched, id: string, variantId: string): void {
    if (this.#moved.length < ENTRIES_MAX) this.#moved.push({ table, id, variantId });
    this.#drop(table, id, variantId);
  }

  /** No topics: all of them. */
  changed(kind: Answers, topics: readonly (string | null)[]): void {
    if (this.#changed.length < ENTRIES_MAX) this.#changed.push({ kind, topics });
    this.#dropAnswers(kind, topics);
  }

  committed(): void {
    this.#moved.length = 0;
    this.#changed.length = 0;
  }

  /** Of the whole transaction, or of a part of it: the rows that it moved are read again, whether they are undone or not. */
  undone(): void {
    if (this.#moved.length === ENTRIES_MAX || this.#changed.length === ENTRIES_MAX) this.clear();
    for (const { table, id, variantId } of this.#moved) this.#drop(table, id, variantId);
    for (const { kind, topics } of this.#changed) this.#dropAnswers(kind, topics);
  }

  #drop(table: Watched, id: string, variantId: string): void {
    const slot = this.#slots.get(id);
    if (slot !== undefined) {
      slot[PART_OF[table]] = undefined;
      slot.whole = undefined;
    }
    const known = variantId === '' ? undefined : this.#variants.get(variantId);
    if (known !== undefined) known[table === 'variant' ? 'row' : 'bindings'] = undefined;
  }

  #dropAnswers(kind: Answers, topics: readonly (string | null)[]): void {
    if (topics.length === 0) this.#answers[kind].clear();
    for (const topic of topics) if (topic !== null) this.#answers[kind].delete(topic);
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
  db.connection.function('answers_changed', { varargs: true }, (kind: Answers, ...topics: (string | null)[]) => {
    cache.changed(kind, topics);
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
    Object.entries<AnswerTable>(tables).flatMap(([table, { of, topics }]) =>
      (['INSERT', 'UPDATE', 'DELETE'] as const).map((event) => {
        const rows = { INSERT: ['NEW'], UPDATE: ['OLD', 'NEW'], DELETE: ['OLD'] }[event];
        const moved = topics.flatMap((column) => rows.map((row) => `, ${row}.${column}`)).join('');
        const when = event === 'UPDATE' && of.length > 0 ? `UPDATE OF ${of.join(', ')}` : event;
        return `CREATE TEMP TRIGGER ${kind}_${table}_${event} AFTER ${when} ON main.${table} BEGIN SELECT answers_changed('${kind}'${moved}); END;`;
      }),
    ),
  );
}

/**
 * What `load` gives, kept while no row of its tables moves that bears the topic: every row that the answer could depend on does. The question
 * says what is asked about the topic.
 */
export function keptAnswer<T>(db: Db, kind: Answers, topic: string, question: string, load: () => T): T {
  const cache = rowCache(db);
  return cache === null ? load() : cache.answer(kind, topic, question, load);
}

/** After a commit. */
export function keepRows(db: Db): void {
  (db.statements.get(KEY) as RowCache | undefined)?.committed();
}

/** After a rollback, of the whole transaction or of one of its steps. */
export function undoRows(db: Db): void {
  (db.statements.get(KEY) as RowCache | undefined)?.undone();
}

/** Where a process ends that leaves its database open (the simulator's do). */
export function forgetRows(db: Db): void {
  (db.statements.get(KEY) as RowCache | undefined)?.clear();
}
