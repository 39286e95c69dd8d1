import { type Application, type CommandContext, generateHelpTextForAllCommands } from '@stricli/core';
import { expect, test } from 'vitest';

import { createApp } from './app.ts';

// Safe: no command is run, so none is given a context.
const app = createApp(false) as unknown as Application<CommandContext>;
const commands = generateHelpTextForAllCommands(app).map(([route, help]) => ({ route, help }));

test('there are commands', () => {
  expect(commands.length).toBeGreaterThan(3);
});

test.each(commands)('$route shows examples, and answers with JSON if wanted', ({ route, help }) => {
  expect(help).toContain('[--json]');
  // Generated lines would repeat the flags.
  expect(help).not.toContain(`${route} [--json]`);
});
