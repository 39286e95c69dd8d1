import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

/** Reads one line from standard input. On a terminal it asks for it, and what is typed does not show. */
export async function readPassword(question: string): Promise<string> {
  const { stdin, stderr } = process;
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() });
  if (stdin.isTTY) stderr.write(question);
  const lines = createInterface({ input: stdin, output: silence, terminal: stdin.isTTY });
  for await (const line of lines) {
    if (stdin.isTTY) stderr.write('\n');
    lines.close();
    return line;
  }
  return '';
}
