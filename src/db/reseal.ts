import { assert } from '../lib/assert.ts';
import type { Tx } from './database.ts';

/** A column whose values are sealed, and what each value is bound to. */
interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** Names the row. */
  readonly key: string;
  /** Columns that `context` reads besides. */
  readonly needs?: readonly string[];
  readonly context: (row: Readonly<Record<string, unknown>>) => string;
}

const byId = (table: string, column: string, name = `${table}.${column}`): SealedColumn => ({
  table,
  column,
  key: 'id',
  context: (row) => `${name}:${row['id']}`,
});

/** Everything in the database that the encryption key closes. A test finds sealed values that stand elsewhere. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  byId('user', 'profile'),
  byId('user', 'totp_secret'),
  byId('session', 'device'),
  byId('store', 'credentials'),
  byId('store', 'webhook_secret'),
  // The secret of before moves here as it is: it stays bound to the place where it was sealed.
  byId('store', 'webhook_secret_previous', 'store.webhook_secret'),
  byId('endpoint', 'url'),
  byId('endpoint', 'secret'),
  byId('endpoint', 'secret_previous', 'endpoint.secret'),
  byId('invitation', 'email'),
  byId('outbox_mail', 'mail'),
  byId('contact_message', 'letter'),
  byId('idempotent_reply', 'body'),
  { table: 'mailed_token', column: 'email', key: 'hash', context: (row) => `mailed_token.email:${row['hash']}` },
  {
    table: 'audit_entry',
    column: 'details',
    key: 'seq',
    needs: ['actor_id', 'action', 'at'],
    context: (row) => `audit_entry.details:${row['actor_id'] ?? ''}:${row['action']}:${row['at']}`,
  },
  { table: 'meta', column: 'value', key: 'key', context: (row) => `meta:${row['key']}` },
];

/** What every sealed text begins with. */
const SEALED = 'v1.%.%';
const PORTION = 500;

/**
 * Seals everything anew with `reseal(sealed, context)`. One transaction, so that a crash leaves all of it as it was. Returns how many values
 * were sealed.
 */
export function resealDatabase(tx: Tx, reseal: (sealed: string, context: string) => string): number {
  let count = 0;
  for (const sealed of SEALED_COLUMNS) count += resealColumn(tx, sealed, reseal);
  return count;
}

function resealColumn(
  { connection }: Tx,
  { table, column, key, needs = [], context }: SealedColumn,
  reseal: (sealed: string, context: string) => string,
): number {
  assert(connection.inTransaction, 'sealing anew is all or nothing');
  const columns = [key, column, ...needs].map((name) => `"${name}"`).join(', ');
  const next = connection.prepare<unknown[], Record<string, unknown>>(
    `SELECT rowid AS place, ${columns} FROM "${table}" WHERE rowid > ? AND "${column}" LIKE '${SEALED}' ORDER BY rowid LIMIT ${PORTION}`,
  );
  const update = connection.prepare(`UPDATE "${table}" SET "${column}" = ? WHERE rowid = ?`);
  let count = 0;
  let place = -1;
  for (;;) {
    const rows = next.all(place);
    for (const row of rows) {
      update.run(reseal(String(row[column]), context(row)), row['place']);
      place = Number(row['place']);
    }
    count += rows.length;
    if (rows.length < PORTION) return count;
  }
}
