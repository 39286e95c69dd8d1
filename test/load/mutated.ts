/** What the environment of nodes needs so that they run with a guarantee broken on purpose. */
export function mutatedEnvironment(mutation: string | undefined): NodeJS.ProcessEnv {
  if (mutation === undefined) return {};
  const hooks = new URL('../chaos/mutate.js', import.meta.url).pathname;
  return { PARLEY_MUTATION: mutation, NODE_OPTIONS: `--import ${hooks}` };
}
