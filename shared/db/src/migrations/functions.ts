import { readFile, readdir } from 'node:fs/promises';

const folder = new URL('../../functions/', import.meta.url);

const [onePlan, eachPlan] = ['force_generic_plan', 'force_custom_plan'];
/** The realm of one of several relations of a statement, where Postgres is to take it from a row of another. */
const fromRow = /\b(\w)\.realm_id = [msw]\.realm_id\b/g;

/**
 * Returns a function as it is where the database is divided over several servers. A plan is for one organization, and each
 * relation says which by the parameter: Citus makes no plan for some statements where it does not know.
 */
const divided = (text: string): string =>
  text.replaceAll(onePlan, eachPlan).replaceAll(fromRow, '$1.realm_id = p_realm');

/** Returns the statements that create the functions of this version. */
export async function readFunctions(isDivided: boolean): Promise<string[]> {
  const names = (await readdir(folder)).sort();
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, folder), 'utf8')));
  return isDivided ? texts.map(divided) : texts;
}
