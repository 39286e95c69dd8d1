import { type State, isReadable, topicOf } from '@parley/client';

/**
 * What a client shows of its state: of what is unread in a channel that one may not look into any more, nothing. How
 * the name of a topic is written, where it is unread in several ways, only the server knows.
 */
export function shown(state: State): State {
  const isShown = (place: string) => {
    const topic = topicOf(place);
    return !topic || isReadable(state, topic.channelId);
  };
  const { places, at, inChannels } = state.unread;
  const unread = {
    places: new Map([...places].filter(([, place]) => isShown(place))),
    at: new Map([...at].filter(([place]) => isShown(place))),
    inChannels: new Map([...inChannels].filter(([id]) => isReadable(state, id))),
    topicNames: new Map(),
  };
  const administered = state.own.is_admin ? {} : { exports: [], consents: new Set<number>() };
  const mentions = new Set([...state.mentions].filter((id) => unread.places.has(id)));
  return { ...state, ...administered, unread, mentions };
}
