import { MigrationError, migrate } from '@parley/db';

/** Migrates a database by the migrations of a folder, as `parley migrate` does with those of its version. */
const [url = '', folder = ''] = process.argv.slice(2);
try {
  await migrate(url, { folder, say: (line) => void process.stdout.write(`${line}\n`) });
} catch (error) {
  process.stdout.write(`${error instanceof MigrationError ? error.message : String(error)}\n`);
  process.exit(1);
}
