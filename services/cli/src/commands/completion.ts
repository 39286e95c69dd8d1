import { buildCommand } from '@stricli/core';

import { completionScript } from '../completion-script.ts';
import type { Context } from '../context.ts';
import { type CommonFlags, commonFlags } from '../flags.ts';

function run(this: Context, _flags: CommonFlags): void {
  this.show({ script: completionScript }, completionScript);
}

export const completionCommand = buildCommand({
  func: run,
  parameters: { flags: commonFlags },
  docs: {
    brief: 'Print a script that makes the shell complete commands and flags',
    fullDescription:
      'Prints a script for bash, and for zsh after `autoload -U +X bashcompinit && bashcompinit`. `parley` must be on the PATH.',
    customUsage: [{ input: '', brief: 'In ~/.bashrc: source <(parley completion)' }, '--json'],
  },
});
