import { createInterface } from 'node:readline';

import { confirm, isCancel, password } from '@clack/prompts';

import type { CommandProcess } from './command-process.ts';
import { Refusal } from './refusal.ts';

/** Asks whoever runs the command. Questions go to standard error. */
export interface Asker {
  /**
   * Reads a new password: typed twice on a terminal, where it does not show; otherwise the first line of standard input.
   *
   * @throws Refusal if there is none, or if the two differ
   */
  newPassword(whose: string): Promise<string>;
  /**
   * Asks whether something is meant that cannot be undone, unless `isSure` already.
   *
   * @throws Refusal for anything but yes, and where nobody can be asked
   */
  confirm(what: string, isSure: boolean): Promise<void>;
}

type Streams = Pick<CommandProcess, 'stdin' | 'stderr'>;

export function createAsker({ stdin, stderr }: Streams): Asker {
  const streams = { input: stdin, output: stderr };

  async function type(message: string): Promise<string> {
    const typed = await password({ ...streams, message });
    if (isCancel(typed)) throw new Refusal('Canceled. Nothing has changed.');
    return typed;
  }

  return {
    async newPassword(whose) {
      if (!stdin.isTTY) {
        const line = await firstLine(stdin);
        if (line) return line;
        throw new Refusal(
          `No password for ${whose} was given.`,
          'Run the command in a terminal, or pass the password on standard input.',
        );
      }
      const typed = await type(`Password for ${whose}`);
      if (typed !== (await type('Repeat the password'))) throw new Refusal('The passwords do not match.');
      return typed;
    },
    async confirm(what, isSure) {
      if (isSure) return;
      if (!stdin.isTTY) throw new Refusal(what, 'Confirm with --yes');
      const answer = await confirm({
        ...streams,
        message: what,
        active: 'Continue',
        inactive: 'Stop',
        initialValue: false,
      });
      if (answer !== true) throw new Refusal('Canceled. Nothing has changed.');
    },
  };
}

async function firstLine(input: NodeJS.ReadableStream): Promise<string> {
  const lines = createInterface({ input });
  for await (const line of lines) {
    lines.close();
    return line;
  }
  return '';
}
