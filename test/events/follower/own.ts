import { topicKey } from './places.ts';
import { type Reducers, get } from './state.ts';

/** What the client’s own account has said and set. */
export const own: Reducers = {
  'user_settings update'({ own }, { property, value, language_name }) {
    own.user_settings[property] = value;
    if ((language_name !== undefined) !== (property === 'default_language')) throw new Error('language_name');
  },

  update_display_settings({ own }, { user, setting_name, setting }) {
    if (user !== own.email) throw new Error(`A setting of ${user} is told to ${own.email}.`);
    own[setting_name] = setting;
  },

  update_global_notifications({ own }, { user, notification_name, setting }) {
    if (user !== own.email) throw new Error(`A setting of ${user} is told to ${own.email}.`);
    own[notification_name] = setting;
  },

  'attachment add'(state, { attachment }) {
    state.uploads[attachment.id] = attachment;
  },

  'attachment update'(state, { attachment }) {
    get(state.uploads, attachment.id);
    state.uploads[attachment.id] = attachment;
  },

  'attachment remove'(state, { attachment: { id } }) {
    get(state.uploads, id);
    delete state.uploads[id];
  },

  muted_topics(state, { muted_topics }) {
    if (state.own.muted_topics) state.own.muted_topics = muted_topics;
  },

  user_topic(state, { stream_id, topic_name, last_updated, visibility_policy }) {
    if (state.own.muted_topics) return;
    const topic = { stream_id, topic_name, last_updated, visibility_policy };
    if (topic['visibility_policy'] === 0) delete state.topics[topicKey(topic)];
    else state.topics[topicKey(topic)] = topic;
  },
};
