import { ApiError } from '@parley/protocol';

/** Where an outgoing-webhook bot calls, and in which format: 1 is Parley's own, 2 is Slack's. */
export interface Service {
  baseUrl: string;
  interface: number;
}

/** @throws BAD_REQUEST for an address that is no HTTP URL, or an unknown format */
export const parseService = ({ baseUrl, interface: format }: Service): Service => ({
  baseUrl: parseUrl(baseUrl),
  interface: parseFormat(format),
});

export function parseUrl(raw: string): string {
  const url = URL.canParse(raw) ? new URL(raw) : null;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new ApiError('BAD_REQUEST', 'Enter a valid URL.');
  return raw;
}

export function parseFormat(format: number): number {
  if (format !== 1 && format !== 2)
    throw new ApiError('BAD_REQUEST', 'This format of requests is not supported.');
  return format;
}
