import { own } from '../../data/live/state.ts';
import { toolText } from '../../strings/compose.ts';

/** Returns the address of a new room for a call; null where the organization has no server for calls. */
export function newCall(): string | null {
  const server = callServer();
  if (server === null) return null;
  const room = [...crypto.getRandomValues(new Uint32Array(2))].map((part) => part.toString(36)).join('');
  return `${server}/${room}`;
}

/** The service for calls of an organization that has chosen one. */
const jitsiMeet = 1;

/** Returns the server of the organization's calls, or that of all organizations; null where it wants none. */
export function callServer(): string | null {
  if (own('realm_video_chat_provider') !== jitsiMeet) return null;
  const server = own('jitsi_server_url') ?? own('realm_jitsi_server_url') ?? own('server_jitsi_server_url');
  return typeof server === 'string' && /^https?:\/\//.test(server) ? server.replace(/\/+$/, '') : null;
}

/** Returns the text by which others join a call. */
export const callLink = (address: string): string => `[${toolText.joinCall}](${address})\n`;
