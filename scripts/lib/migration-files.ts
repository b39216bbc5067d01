import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Migration } from '../../src/db/migrate.ts';

export const MIGRATIONS_DIR = join(import.meta.dirname, '../../migrations');
/** drizzle-kit's picture of the schema after the last migration: what the next one is the difference to. */
export const SCHEMA_SNAPSHOT = join(MIGRATIONS_DIR, 'schema.json');

/** All migrations in order. Throws when a name or the numbering is wrong. */
export function readMigrationFiles(): readonly Migration[] {
  const names = readdirSync(MIGRATIONS_DIR)
    .filter((name) => name.endsWith('.sql'))
    .sort();
  return names.map((file, index) => {
    const match = /^(\d{4})_([a-z]+(?:_[a-z0-9]+)+)\.sql$/.exec(file);
    const number = Number(match?.[1]);
    if (!match || number !== index + 1) {
      throw new Error(`migrations/${file}: expected ${String(index + 1).padStart(4, '0')}_verb_noun.sql`);
    }
    return { number, name: match[2] ?? '', sql: readFileSync(join(MIGRATIONS_DIR, file), 'utf8') };
  });
}

/** Source of `src/db/migrations.gen.ts`: the SQL travels inside the bundle, so that there is one file to ship. */
export function migrationsModule(migrations: readonly Migration[]): string {
  const entries = migrations.map(
    ({ number, name, sql }) =>
      `  {\n    number: ${number},\n    name: '${name}',\n    sql: ${templateLiteral(sql)},\n  },\n`,
  );
  return [
    '// Generated from migrations/*.sql by scripts/generate-migration.ts; a test keeps it up to date.\n',
    "import type { Migration } from './migrate.ts';\n\n",
    `export const MIGRATIONS: readonly Migration[] = [\n${entries.join('')}];\n`,
  ].join('');
}

function templateLiteral(text: string): string {
  return `\`${text.replaceAll('\\', '\\\\').replaceAll('`', '\\`').replaceAll('${', '\\${')}\``;
}
