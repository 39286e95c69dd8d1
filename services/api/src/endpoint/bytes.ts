import type { AttachmentRow } from '@parley/db';
import type { FileStore } from '@parley/files';
import type { Actor, Realm } from '@parley/model';
import type { thumbnailFormats } from '@parley/protocol';
import type { Context } from 'hono';

import type { Parameters, ParametersOf } from '../http/parameters.ts';
import type { ClientFiles } from '../static/client-files.ts';
import type { RequestContext } from './context.ts';
import { type Described, usual } from './endpoint.ts';

/**
 * An endpoint that answers with a file, or with plain text that says why not. Requests count towards limits of their own:
 * a page of a client may show hundreds of pictures.
 */
export interface BytesEndpoint extends Described {
  kind: 'bytes';
  method: 'GET';
  /** `none`: whoever has the address may read it. */
  auth: 'optional' | 'none';
  /** Whose it is: an organization's, or the server's own and the same at every host. */
  of: 'realm' | 'server';
  /** Undefined where there is nothing at the address. */
  handle(context: BytesContext<never, never>): Promise<Response | undefined>;
}

/** A request for a file, as its endpoint sees it. */
export interface BytesContext<Params, InRealm> extends Pick<
  RequestContext<Params, unknown>,
  'params' | 'clock' | 'snapshot'
> {
  /** The request itself: ranges and what the reader has already are asked for in headers. */
  c: Context;
  realm: InRealm;
  /** The account that asks; null for somebody without one. */
  reader: Actor | null;
  store: FileStore;
  /** Whether a signed path opens an upload now. */
  isOpen(pathId: string, signature: string): boolean;
  /** Answers with key and size of a thumbnail, and makes it if needed. Undefined if it cannot be made. */
  readonly thumbnail: (
    upload: Pick<AttachmentRow, 'pathId' | 'ownerId'>,
    format: ThumbnailFormat,
  ) => Promise<StoredFile | undefined>;
  readonly clientFiles: () => Promise<ClientFiles>;
  /** Whether browsers run the client’s service worker. */
  hasServiceWorker: boolean;
  /** The API's document. */
  readonly apiDocument: () => Promise<Text>;
}

export type ThumbnailFormat = (typeof thumbnailFormats)[number];

export interface StoredFile {
  key: string;
  bytes: number;
}

/** A text and its tag. */
export interface Text {
  text: string;
  tag: string;
}

interface Declaration<Shape extends Parameters, Of extends 'realm' | 'server'>
  extends Pick<BytesEndpoint, 'path' | 'summary' | 'errors'>, Partial<Pick<BytesEndpoint, 'auth'>> {
  of: Of;
  params: Shape;
  handle(
    context: BytesContext<ParametersOf<Shape>, Of extends 'realm' ? Realm : null>,
  ): Promise<Response | undefined>;
}

/** Declares the address of a file. */
export const bytesEndpoint = <Shape extends Parameters, const Of extends 'realm' | 'server'>(
  declared: Declaration<Shape, Of>,
): BytesEndpoint => ({ ...usual, kind: 'bytes', method: 'GET', auth: 'none', ...declared });
