import { execFile } from 'node:child_process';
import { join } from 'node:path';

import { root } from '../versions/history.ts';

const program = join(root, 'services/cli/bin/parley.js');

/** Runs a command as operators do, for the deployment of a folder. Returns what it printed as JSON, whatever it ended with. */
export async function parley(dir: string, ...args: string[]): Promise<unknown> {
  const printed = await new Promise<string>((resolve, reject) => {
    // Settings of whoever runs the drill are of another deployment.
    const options = { cwd: dir, env: { PATH: process.env['PATH'], PARLEY_DIR: dir } };
    execFile(process.execPath, [program, ...args, '--json'], options, (_, stdout, stderr) =>
      stdout === '' ? reject(new Error(`parley ${args.join(' ')} failed:\n${stderr}`)) : resolve(stdout),
    );
  });
  return JSON.parse(printed);
}
