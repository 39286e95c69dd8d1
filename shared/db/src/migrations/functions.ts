import { readFile, readdir } from 'node:fs/promises';

const folder = new URL('../../functions/', import.meta.url);

const onePlan = 'set plan_cache_mode = force_generic_plan';

/**
 * Returns the statements that create the functions of this version. In a database that is divided over several servers, a
 * plan is for one organization: Citus makes none for some statements that do not know which.
 */
export async function readFunctions(isDivided: boolean): Promise<string[]> {
  const names = (await readdir(folder)).sort();
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, folder), 'utf8')));
  return isDivided
    ? texts.map((text) => text.replaceAll(onePlan, 'set plan_cache_mode = force_custom_plan'))
    : texts;
}
