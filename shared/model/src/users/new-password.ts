import { ApiError, limits } from '@parley/protocol';
import type { ZxcvbnFactory } from '@zxcvbn-ts/core';

import { hashPassword } from './password.ts';

/**
 * How much of a password is estimated. What is longer can only be stronger, and the time of an estimate grows with the
 * square of the length: whatever the text, it stays at about 20 ms.
 */
const estimatedLength = 24;
const substitutionsMax = 8;

let estimator: Promise<ZxcvbnFactory> | undefined;

/** The dictionaries take a tenth of a second and 20 MB, so only processes that need them load them. */
async function loadEstimator(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory: Estimator }, common, english] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
  ]);
  return new Estimator({
    dictionary: { ...common.dictionary, ...english.dictionary },
    graphs: common.adjacencyGraphs,
    maxLength: estimatedLength,
    l33tMaxSubstitutions: substitutionsMax,
  });
}

/**
 * Returns the hash of a password that somebody chose.
 *
 * @throws BAD_REQUEST with the message `refusal` for one that is too short or too long, or that withstands too few guesses
 * of somebody who knows what it is `about`: the account's name and email address
 */
export async function hashNewPassword(
  password: string,
  about: readonly string[],
  refusal: string,
): Promise<string> {
  const { passwordLengthMin, passwordLengthMax, passwordGuessesMin } = limits;
  const length = [...password].length;
  const isAllowed = length >= passwordLengthMin && length <= passwordLengthMax;
  if (!isAllowed || (await countGuesses(password, about)) < passwordGuessesMin) {
    throw new ApiError('BAD_REQUEST', refusal);
  }
  return await hashPassword(password);
}

async function countGuesses(password: string, about: readonly string[]): Promise<number> {
  estimator ??= loadEstimator();
  const words = about
    .flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)])
    .filter((word) => word !== '');
  return (await estimator).check(password, words).guesses;
}
