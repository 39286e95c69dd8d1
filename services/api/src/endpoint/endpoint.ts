import type { Actor } from '@parley/model';
import { type ErrorCode, topicNamer } from '@parley/protocol';
import { z } from 'zod';

import type { Auth } from '../auth/identify.ts';
import type { Requirement } from '../auth/requirements.ts';
import { type Parameters, type ParametersOf, form } from '../http/parameters.ts';
import type { UploadLimit } from '../http/receive.ts';
import type { RequestContext } from './context.ts';

export { bigId, form, id } from '../http/parameters.ts';

/** What endpoints of every kind say of themselves. */
export interface Described {
  method: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE' | 'PUT';
  /** `:name` is a path parameter, which is declared in `params` like any other. */
  path: string;
  /** What it does, in one sentence for the authors of clients. */
  summary: string;
  /** The feature level that introduced it; null of what was always there. */
  since: number | null;
  /** The codes that it can answer with beyond those of `commonErrors`. */
  errors: readonly ErrorCode[];
  auth: Auth;
  /** The roles that every caller must have. */
  requires: readonly Requirement[];
  /** Whether incoming-webhook bots may call it. Almost all endpoints refuse them. */
  forWebhookBots: boolean;
  /** Whether only development servers have it. Other servers answer NOT_FOUND. */
  developmentOnly: boolean;
  params: Parameters;
  aliases: Record<string, string>;
}

/** What most endpoints of any kind have in common. */
export const usual = {
  since: null,
  requires: [],
  forWebhookBots: false,
  developmentOnly: false,
  aliases: {},
} as const;

/**
 * An endpoint for programs, which answers with JSON. Its path is the one below /api/v1; browsers with a session ask the
 * same below /json.
 */
export interface JsonEndpoint extends Described {
  kind: 'json';
  /** Whether the parameter at the end of the path may contain slashes, encoded or not. */
  hasSlashes: boolean;
  /** Whether its reply redirects to the `url` that it holds. */
  redirects: boolean;
  /** The limit for the file that it takes; null if it takes no file. */
  upload: UploadLimit | null;
  /**
   * Whether another product decides what the body is. It is left to the handler: parameters come from the path and the
   * query alone, and nobody is told of those that are unknown.
   */
  takesBody: boolean;
  /**
   * Whether a replica of the database may answer: all that it reads, the realm's log tells of, and it writes nothing. What it
   * reads is what the primary has.
   */
  fromReplicas: boolean;
  /** Whether a request searches texts, which costs more than other requests do; null if none does. */
  searches: ((params: never) => boolean) | null;
  /** Whether its parameters may be long together: a body then has up to `limits.longBodyBytes`. */
  isLong: boolean;
  returns: z.ZodRawShape;
  /** Names the empty topics of a reply; null if replies name no topics. */
  nameTopics: ((reply: object) => object) | null;
  /**
   * What the programs of another product read in a reply, beside the fields of the API: of a success, or of a refusal with
   * a code.
   */
  readonly besides: ((path: Record<string, string>, refusal: string | null) => object) | null;
  handle(context: RequestContext<never, never>): Promise<object>;
  /** The answer at a bare host that is no organization's. Without one, the organization is missed there. */
  handleAtRoot: ((context: RootContext) => Promise<object>) | null;
}

/** A request to a server of many organizations, at an address that is none's. */
export type RootContext<Params = never> = Pick<
  RequestContext<Params, never>,
  'client' | 'isDevelopment' | 'params' | 'push' | 'snapshot'
>;

interface Declaration<Shape extends Parameters, Kind extends Auth>
  extends
    Pick<JsonEndpoint, 'method' | 'path' | 'summary' | 'since' | 'errors'>,
    Partial<
      Pick<
        JsonEndpoint,
        | 'hasSlashes'
        | 'requires'
        | 'forWebhookBots'
        | 'developmentOnly'
        | 'redirects'
        | 'upload'
        | 'takesBody'
        | 'isLong'
        | 'fromReplicas'
        | 'besides'
        | 'aliases'
      >
    > {
  auth?: Kind;
  params: Shape;
  returns: z.ZodRawShape;
  searches?(params: ParametersOf<Shape>): boolean;
  handleAtRoot?(context: RootContext<ParametersOf<Shape>>): Promise<object>;
  handle(context: RequestContext<ParametersOf<Shape>, Kind extends 'none' ? null : Actor>): Promise<object>;
}

/** Declares an endpoint. It is a value, so that a walk over the list of endpoints can serve, document and test them. */
export function endpoint<Shape extends Parameters, const Kind extends Auth = 'user'>(
  declared: Declaration<Shape, Kind>,
): JsonEndpoint {
  const nameTopics = topicNamer(z.object(declared.returns));
  return {
    ...usual,
    kind: 'json',
    auth: 'user',
    hasSlashes: false,
    redirects: false,
    upload: null,
    takesBody: false,
    isLong: declared.takesBody ?? false,
    fromReplicas: false,
    besides: null,
    searches: null,
    handleAtRoot: null,
    ...declared,
    nameTopics,
    params: nameTopics ? { ...namesTopics, ...declared.params } : declared.params,
    aliases: { ...topicAlias(declared.params), ...declared.aliases },
  };
}

/** What programs say that can show the empty topic. To others a reply names it. */
const namesTopics = { allow_empty_topic_name: form.bool().default(false) };

/** The deprecated name of a topic, under which every endpoint takes one. */
function topicAlias(params: Parameters): Record<string, string> {
  const name = ['topic', 'topic_name'].find((topic) => topic in params);
  return name === undefined ? {} : { subject: name };
}
