/** Programs in which people see what they send. A message from any other program is unread for its sender. */
const interactiveClients = new Set([
  'zulipandroid',
  'zulipios',
  'zulipdesktop',
  'zulipmobile',
  'zulipelectron',
  'zulipterminal',
  'snipe',
  'website',
  'ios',
  'android',
]);

export const isInteractive = (client: string) => interactiveClients.has(client.toLowerCase());
