/**
 * Programs of the original protocol that know only its own name of the extra emoji's type, and cannot say so. The
 * desktop application is none of them: it shows the web client of the server.
 */
const programs: ReadonlySet<string> = new Set([
  'zulipmobile',
  'zulipflutter',
  'zulipandroid',
  'zulipios',
  'zulipterminal',
]);

interface Declared {
  zulip_extra_emoji?: unknown;
  client_capabilities?: unknown;
}

/**
 * Returns whether a program reads `zulip_extra_emoji` where the contract says `svc_extra_emoji`: its request declares
 * that, or it is one of those that cannot.
 */
export function readsZulipNames(program: string, params: Declared): boolean {
  const { client_capabilities: capabilities } = params;
  const ofQueue: Declared = typeof capabilities === 'object' && capabilities !== null ? capabilities : {};
  const isDeclared = params.zulip_extra_emoji === true || ofQueue.zulip_extra_emoji === true;
  return isDeclared || programs.has(program.toLowerCase());
}

/**
 * Returns the JSON of a reply or an event with the names that such a program reads. Within a text of the JSON its quotes
 * are escaped, so that only fields are found.
 */
export const withZulipNames = (json: string): string =>
  json.replaceAll('"reaction_type":"svc_extra_emoji"', '"reaction_type":"zulip_extra_emoji"');
