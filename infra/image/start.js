// The image's entry point: runs one role of Parley in this process.

const programs = {
  api: './services/api/dist/bundled/main.js',
  queue: './services/queue/dist/bundled/main.js',
  worker: './services/worker/dist/bundled/main.js',
  migrate: './services/cli/dist/bundled/main.js',
  parley: './services/cli/dist/bundled/main.js',
};

const [role = ''] = process.argv.slice(2);
if (Object.hasOwn(programs, role)) {
  // `migrate` is a command of the command line, and stays its first argument.
  if (role !== 'migrate') process.argv.splice(2, 1);
  await import(programs[role]);
} else {
  process.stderr.write(`Say which role to run: ${Object.keys(programs).join(', ')}\n`);
  process.exitCode = 2;
}
