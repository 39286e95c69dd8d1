import { topicKey } from './places.ts';
import { type Reducers, type State, get } from './state.ts';

/** The server forgets the drafts of whoever wants none there, and no event says so. */
function forgetDrafts(state: State, property: string, value: unknown): void {
  if (property === 'enable_drafts_synchronization' && value === false) state.drafts = {};
}

/** What the client’s own account has said and set. */
export const own: Reducers = {
  'user_settings update'(state, { property, value, language_name }) {
    state.own.user_settings[property] = value;
    forgetDrafts(state, property, value);
    if ((language_name !== undefined) !== (property === 'default_language')) throw new Error('language_name');
  },

  update_display_settings(state, { user, setting_name, setting }) {
    const { own } = state;
    if (user !== own.email) throw new Error(`A setting of ${user} is told to ${own.email}.`);
    own[setting_name] = setting;
    forgetDrafts(state, setting_name, setting);
  },

  update_global_notifications({ own }, { user, notification_name, setting }) {
    if (user !== own.email) throw new Error(`A setting of ${user} is told to ${own.email}.`);
    own[notification_name] = setting;
  },

  'drafts add'(state, { drafts }) {
    for (const draft of drafts) state.drafts[draft.id] = draft;
  },

  'drafts update'(state, { draft }) {
    get(state.drafts, draft.id);
    state.drafts[draft.id] = draft;
  },

  'drafts remove'(state, { draft_id }) {
    get(state.drafts, draft_id);
    delete state.drafts[draft_id];
  },

  'saved_snippets add'({ snippets }, { saved_snippet }) {
    snippets[saved_snippet.id] = saved_snippet;
  },

  'saved_snippets update'({ snippets }, { saved_snippet }) {
    get(snippets, saved_snippet.id);
    snippets[saved_snippet.id] = saved_snippet;
  },

  'saved_snippets remove'({ snippets }, { saved_snippet_id }) {
    get(snippets, saved_snippet_id);
    delete snippets[saved_snippet_id];
  },

  'scheduled_messages add'({ scheduled }, { scheduled_messages }) {
    for (const message of scheduled_messages) scheduled[message.scheduled_message_id] = message;
  },

  'scheduled_messages update'({ scheduled }, { scheduled_message }) {
    get(scheduled, scheduled_message.scheduled_message_id);
    scheduled[scheduled_message.scheduled_message_id] = scheduled_message;
  },

  'scheduled_messages remove'({ scheduled }, { scheduled_message_id }) {
    get(scheduled, scheduled_message_id);
    delete scheduled[scheduled_message_id];
  },

  'reminders add'(state, { reminders }) {
    for (const reminder of reminders) state.reminders[reminder.reminder_id] = reminder;
  },

  'reminders remove'({ reminders }, { reminder_id }) {
    get(reminders, reminder_id);
    delete reminders[reminder_id];
  },

  'navigation_view add'({ views }, { navigation_view }) {
    views[navigation_view.fragment] = navigation_view;
  },

  'navigation_view update'({ views }, { fragment, data }) {
    Object.assign(views[fragment], data);
  },

  'navigation_view remove'({ views }, { fragment }) {
    delete views[fragment];
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

  invites_changed(state) {
    state.invites = null;
  },

  realm_export(state, { exports }) {
    state.exports = exports;
  },

  realm_export_consent(state, { user_id, consented }) {
    if (consented) state.consents[user_id] = true;
    else delete state.consents[user_id];
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
