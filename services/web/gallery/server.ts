import { found, messages, registered, topics } from './sample.ts';

/** Answers as a server would in an organization in which nothing happens. */
export const answer: typeof fetch = async (input, init) => {
  const { pathname, searchParams } = new URL(new Request(input).url);
  const path = pathname.replace(/^\/(?:json|api\/v1)/, '');
  if (path === '/events') return await untilAborted(init?.signal ?? null);
  return Response.json({ result: 'success', msg: '', ...answerTo(path, searchParams) });
};

function answerTo(path: string, params: URLSearchParams): object {
  if (path === '/register') return registered;
  if (path === '/messages') {
    return {
      messages: params.get('narrow')?.includes('"search"') ? found : messages,
      anchor: messages.length,
      found_anchor: true,
      found_newest: true,
      found_oldest: true,
      history_limited: false,
    };
  }
  if (path.endsWith('/topics')) return { topics };
  if (path.endsWith('/presence')) {
    return { presences: {}, presence_last_update_id: 0, server_timestamp: 1_900_000_000 };
  }
  return {};
}

const untilAborted = (signal: AbortSignal | null): Promise<Response> =>
  new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
  });
