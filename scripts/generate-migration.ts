// Writes migrations/ and src/db/migrations.gen.ts from the drizzle schema. See migrations/README.md.
//   node scripts/generate-migration.ts add_noun    the difference to the last migration becomes the next one
//   node scripts/generate-migration.ts --first     until the first release: 0001 is written anew from the whole schema
//   node scripts/generate-migration.ts --embed     only copies the SQL files into migrations.gen.ts (after editing one by hand)
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateSQLiteDrizzleJson, generateSQLiteMigration } from 'drizzle-kit/api';
import * as schema from '../src/db/schema/index.ts';
import { MIGRATIONS_DIR, migrationsModule, readMigrationFiles, SCHEMA_SNAPSHOT } from './lib/migration-files.ts';

const GENERATED = join(import.meta.dirname, '../src/db/migrations.gen.ts');
type Snapshot = Awaited<ReturnType<typeof generateSQLiteDrizzleJson>>;

async function main(argument: string | undefined): Promise<void> {
  if (argument !== '--embed') await writeNext(argument);
  writeFileSync(GENERATED, migrationsModule(readMigrationFiles()));
  console.log('wrote src/db/migrations.gen.ts');
}

async function writeNext(argument: string | undefined): Promise<void> {
  const files = readMigrationFiles();
  const isFirst = argument === '--first';
  if (isFirst && files.length > 1) throw new Error('--first rewrites the only migration; there are several already');
  const name = isFirst ? 'create_schema' : argument;
  if (name === undefined || !/^[a-z]+(_[a-z0-9]+)+$/.test(name)) {
    throw new Error('give a name like add_order (verb_noun), or --first, or --embed');
  }
  const current = await generateSQLiteDrizzleJson(schema);
  const previous: Snapshot =
    !isFirst && existsSync(SCHEMA_SNAPSHOT)
      ? JSON.parse(readFileSync(SCHEMA_SNAPSHOT, 'utf8'))
      : await generateSQLiteDrizzleJson({});
  const statements = await generateSQLiteMigration(previous, current);
  if (statements.length === 0) throw new Error('the schema has not changed');
  const number = String(isFirst ? 1 : files.length + 1).padStart(4, '0');
  const file = `${number}_${name}.sql`;
  writeFileSync(join(MIGRATIONS_DIR, file), `${statements.map((statement) => statement.trim()).join('\n')}\n`);
  // The ids are random: pinned, so that the same schema gives the same file.
  const pinned = { ...current, id: number, prevId: String(Number(number) - 1).padStart(4, '0') };
  writeFileSync(SCHEMA_SNAPSHOT, `${JSON.stringify(pinned, null, 2)}\n`);
  console.log(`wrote migrations/${file} (${statements.length} statements): read it before you commit it`);
}

await main(process.argv[2]);
