import * as actions from '@parley/actions';
import { ApiError, type UserSettings } from '@parley/protocol';
import { z } from 'zod';

import { endpoint, form } from '../endpoint/endpoint.ts';

interface Command {
  settings: Partial<UserSettings>;
  done: string;
}

const dark: Command = { settings: { color_scheme: 2 }, done: 'The dark theme is on. `/light` ends it.' };
const light: Command = { settings: { color_scheme: 3 }, done: 'The light theme is on. `/dark` ends it.' };

/** What each command does to the caller's settings. Some programs know the themes by older names. */
const commands: Readonly<Record<string, Command>> = {
  ping: { settings: {}, done: '' },
  dark,
  night: dark,
  light,
  day: light,
  'fluid-width': {
    settings: { fluid_layout_width: true },
    done: 'The layout is as wide as the window. `/fixed-width` ends it.',
  },
  'fixed-width': {
    settings: { fluid_layout_width: false },
    done: 'The layout has a fixed width. `/fluid-width` ends it.',
  },
};

export const commandRoutes = [
  endpoint({
    method: 'POST',
    path: '/zcommand',
    summary: "Runs a command that the caller typed, such as `/dark`, which changes the caller's settings.",
    since: null,
    errors: [],
    requires: ['human'],
    params: { command: form.text() },
    returns: { msg: z.string() },
    async handle({ actor, params, clock, perform }) {
      if (!params.command.startsWith('/')) {
        throw new ApiError('BAD_REQUEST', 'A command begins with a slash.');
      }
      const name = params.command.slice(1);
      const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
      if (!command) throw new ApiError('BAD_REQUEST', `There is no command '${name}'.`);
      const { settings, done } = command;
      const nowMs = clock.nowMs();
      await perform(actions.users.editSettings, { actor, settings, nowMs });
      return { msg: done };
    },
  }),
];
