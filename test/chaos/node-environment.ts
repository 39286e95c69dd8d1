/** Returns the variables of nodes whose clients stand for many, and which may be broken on purpose. */
export function nodeEnvironment(mutation: string | undefined): NodeJS.ProcessEnv {
  const limits = {
    RATE_LIMIT_BY_USER: '60:1000000',
    RATE_LIMIT_BY_ADDRESS: '60:1000000',
    EVENTS_RATE_LIMIT: '60:1000000',
    LOG_LEVEL: 'warn',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1',
  };
  const load = (name: string) => `--import ${new URL(name, import.meta.url).pathname}`;
  const clock = load('./skew-clock.js');
  if (mutation === undefined) return { ...limits, NODE_OPTIONS: clock };
  return { ...limits, PARLEY_MUTATION: mutation, NODE_OPTIONS: `${clock} ${load('./mutate.js')}` };
}
