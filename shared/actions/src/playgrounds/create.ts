import { type Tx, type PlaygroundRow, tables } from '@parley/db';
import { findVariables } from '@parley/markdown';
import { type Actor, fieldError } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, limits, ApiError } from '@parley/protocol';

import { lockPlaygrounds } from './lock.ts';

export interface NewPlayground {
  name: string;
  language: string;
  urlTemplate: string;
}

/**
 * Creates a playground: a site where code of a language can be run.
 *
 * @throws UNAUTHORIZED_PRINCIPAL for anyone but administrators
 * @throws BAD_REQUEST for an invalid name, language or URL template, a playground that exists, or too many playgrounds
 */
export async function create(
  tx: Tx,
  { actor, ...input }: { actor: Actor } & NewPlayground,
): Promise<ActionResult & { playground: PlaygroundRow }> {
  model.permissions.assertAdministrator(actor);
  const trimmed = { ...input, name: input.name.trim(), language: input.language.trim() };
  assertPlaygroundIsValid(trimmed);
  const others = await lockPlaygrounds(tx, actor);
  if (others.length >= limits.playgroundsPerRealm) {
    throw new ApiError('BAD_REQUEST', 'There are too many code playgrounds. Remove some that nobody needs.');
  }
  if (others.some(({ name, language }) => name === trimmed.name && language === trimmed.language)) {
    throw fieldError('__all__', 'There is already a code playground with this name and language.');
  }
  const [playground] = await tx
    .insert(tables.playgrounds)
    .values({ ...trimmed, realmId: actor.realm.id })
    .returning();
  if (!playground) throw new Error('An insert returned no row.');
  return {
    events: [model.playgrounds.playgroundsEvent([...others, playground])],

    playground,
  };
}
create.actionName = 'playgrounds.create' as const;

function assertPlaygroundIsValid({ name, language, urlTemplate }: NewPlayground): void {
  if (name.trim() === '') throw fieldError('name', 'Enter something here.');
  if (language.trim() === '') throw fieldError('pygments_language', 'Enter something here.');
  if (!/^[ a-zA-Z0-9_+,\-./#]*$/.test(language)) {
    throw fieldError(
      'pygments_language',
      'Use only letters, digits, spaces and the characters # + . _ - in the name of a language.',
    );
  }
  const variables = findVariables(urlTemplate);
  if (!variables) throw fieldError('url_template', 'Enter a valid URL template.');
  if (!variables.includes('code')) {
    throw fieldError('url_template', 'The URL template needs the variable {code}.');
  }
  if (variables.length > 1) {
    throw fieldError('url_template', 'The URL template can have no variable but {code}.');
  }
}
