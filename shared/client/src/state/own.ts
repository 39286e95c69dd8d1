import { topicKey } from './places.ts';
import { type Reducers, get, setOwn } from './reducers.ts';
import type { State } from './state.ts';

function assertOwn({ own }: State, user: string): void {
  if (user !== own.email) throw new Error(`A setting of ${user} was sent to ${own.email}.`);
}

/** What the client's own account has said and set. */
export const own: Reducers = {
  'user_settings update'(state, { property, value, language_name }, changes) {
    setOwn(state, changes, { user_settings: { ...state.own.user_settings, [property]: value } });
    if ((language_name !== undefined) !== (property === 'default_language')) throw new Error('language_name');
  },

  update_display_settings(state, { user, setting_name, setting }, changes) {
    assertOwn(state, user);
    setOwn(state, changes, { [setting_name]: setting });
  },

  update_global_notifications(state, { user, notification_name, setting }, changes) {
    assertOwn(state, user);
    setOwn(state, changes, { [notification_name]: setting });
  },

  'drafts add'(state, { drafts }, { slices }) {
    for (const draft of drafts) state.drafts.set(draft.id, draft);
    slices.add('drafts');
  },

  'drafts update'(state, { draft }, { slices }) {
    replace(state.drafts, draft.id, draft);
    slices.add('drafts');
  },

  'drafts remove'(state, { draft_id }, { slices }) {
    remove(state.drafts, draft_id);
    slices.add('drafts');
  },

  'saved_snippets add'({ snippets }, { saved_snippet }, { slices }) {
    snippets.set(saved_snippet.id, saved_snippet);
    slices.add('snippets');
  },

  'saved_snippets update'({ snippets }, { saved_snippet }, { slices }) {
    replace(snippets, saved_snippet.id, saved_snippet);
    slices.add('snippets');
  },

  'saved_snippets remove'({ snippets }, { saved_snippet_id }, { slices }) {
    remove(snippets, saved_snippet_id);
    slices.add('snippets');
  },

  'scheduled_messages add'({ scheduled }, { scheduled_messages }, { slices }) {
    for (const message of scheduled_messages) scheduled.set(message.scheduled_message_id, message);
    slices.add('scheduled');
  },

  'scheduled_messages update'({ scheduled }, { scheduled_message }, { slices }) {
    replace(scheduled, scheduled_message.scheduled_message_id, scheduled_message);
    slices.add('scheduled');
  },

  'scheduled_messages remove'({ scheduled }, { scheduled_message_id }, { slices }) {
    remove(scheduled, scheduled_message_id);
    slices.add('scheduled');
  },

  'reminders add'(state, { reminders }, { slices }) {
    for (const reminder of reminders) state.reminders.set(reminder.reminder_id, reminder);
    slices.add('reminders');
  },

  'reminders remove'({ reminders }, { reminder_id }, { slices }) {
    remove(reminders, reminder_id);
    slices.add('reminders');
  },

  'navigation_view add'({ views }, { navigation_view }, { slices }) {
    views.set(navigation_view.fragment, navigation_view);
    slices.add('views');
  },

  'navigation_view update'({ views }, { fragment, data }, { slices }) {
    views.set(fragment, { ...get(views, fragment), ...(data as object) });
    slices.add('views');
  },

  'navigation_view remove'({ views }, { fragment }, { slices }) {
    remove(views, fragment);
    slices.add('views');
  },

  'attachment add'({ uploads }, { attachment }, { slices }) {
    uploads?.set(attachment.id, attachment);
    slices.add('uploads');
  },

  'attachment update'({ uploads }, { attachment }, { slices }) {
    if (uploads) replace(uploads, attachment.id, attachment);
    slices.add('uploads');
  },

  'attachment remove'({ uploads }, { attachment: { id } }, { slices }) {
    if (uploads) remove(uploads, id);
    slices.add('uploads');
  },

  invites_changed(state, _, { slices }) {
    state.invites = null;
    slices.add('invites');
  },

  realm_export(state, { exports }, { slices }) {
    state.exports = exports;
    slices.add('exports');
  },

  realm_export_consent({ consents }, { user_id, consented }, { slices }) {
    if (consented) consents?.add(user_id);
    else consents?.delete(user_id);
    slices.add('consents');
  },

  muted_topics(state, { muted_topics }, changes) {
    if (state.own.muted_topics) setOwn(state, changes, { muted_topics });
  },

  user_topic(state, { stream_id, topic_name, last_updated, visibility_policy }, { slices }) {
    if (state.own.muted_topics) return;
    const key = topicKey(stream_id, topic_name);
    if (visibility_policy === 0) state.topics.delete(key);
    else state.topics.set(key, { stream_id, topic_name, last_updated, visibility_policy });
    slices.add('topics');
  },
};

function replace<Key, Item>(records: Map<Key, Item>, key: Key, item: Item): void {
  get(records, key);
  records.set(key, item);
}

function remove<Key>(records: Map<Key, unknown>, key: Key): void {
  get(records, key);
  records.delete(key);
}
