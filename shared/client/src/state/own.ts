import type { Changes } from './changes.ts';
import { topicKey } from './places.ts';
import { type Reducers, get, setOwn } from './reducers.ts';
import type { State } from './state.ts';

/** The server forgets the drafts of whoever wants none there, and no event says so. */
function forgetDrafts(state: State, property: string, value: unknown, { parts }: Changes): void {
  if (property !== 'enable_drafts_synchronization' || value !== false) return;
  state.drafts.clear();
  parts.add('drafts');
}

function assertOwn({ own }: State, user: string): void {
  if (user !== own.email) throw new Error(`A setting of ${user} is told to ${own.email}.`);
}

/** What the client's own account has said and set. */
export const own: Reducers = {
  'user_settings update'(state, { property, value, language_name }, changes) {
    setOwn(state, changes, { user_settings: { ...state.own.user_settings, [property]: value } });
    forgetDrafts(state, property, value, changes);
    if ((language_name !== undefined) !== (property === 'default_language')) throw new Error('language_name');
  },

  update_display_settings(state, { user, setting_name, setting }, changes) {
    assertOwn(state, user);
    setOwn(state, changes, { [setting_name]: setting });
    forgetDrafts(state, setting_name, setting, changes);
  },

  update_global_notifications(state, { user, notification_name, setting }, changes) {
    assertOwn(state, user);
    setOwn(state, changes, { [notification_name]: setting });
  },

  'drafts add'(state, { drafts }, { parts }) {
    for (const draft of drafts) state.drafts.set(draft.id, draft);
    parts.add('drafts');
  },

  'drafts update'(state, { draft }, { parts }) {
    replace(state.drafts, draft.id, draft);
    parts.add('drafts');
  },

  'drafts remove'(state, { draft_id }, { parts }) {
    remove(state.drafts, draft_id);
    parts.add('drafts');
  },

  'saved_snippets add'({ snippets }, { saved_snippet }, { parts }) {
    snippets.set(saved_snippet.id, saved_snippet);
    parts.add('snippets');
  },

  'saved_snippets update'({ snippets }, { saved_snippet }, { parts }) {
    replace(snippets, saved_snippet.id, saved_snippet);
    parts.add('snippets');
  },

  'saved_snippets remove'({ snippets }, { saved_snippet_id }, { parts }) {
    remove(snippets, saved_snippet_id);
    parts.add('snippets');
  },

  'scheduled_messages add'({ scheduled }, { scheduled_messages }, { parts }) {
    for (const message of scheduled_messages) scheduled.set(message.scheduled_message_id, message);
    parts.add('scheduled');
  },

  'scheduled_messages update'({ scheduled }, { scheduled_message }, { parts }) {
    replace(scheduled, scheduled_message.scheduled_message_id, scheduled_message);
    parts.add('scheduled');
  },

  'scheduled_messages remove'({ scheduled }, { scheduled_message_id }, { parts }) {
    remove(scheduled, scheduled_message_id);
    parts.add('scheduled');
  },

  'reminders add'(state, { reminders }, { parts }) {
    for (const reminder of reminders) state.reminders.set(reminder.reminder_id, reminder);
    parts.add('reminders');
  },

  'reminders remove'({ reminders }, { reminder_id }, { parts }) {
    remove(reminders, reminder_id);
    parts.add('reminders');
  },

  'navigation_view add'({ views }, { navigation_view }, { parts }) {
    views.set(navigation_view.fragment, navigation_view);
    parts.add('views');
  },

  'navigation_view update'({ views }, { fragment, data }, { parts }) {
    views.set(fragment, { ...get(views, fragment), ...(data as object) });
    parts.add('views');
  },

  'navigation_view remove'({ views }, { fragment }, { parts }) {
    remove(views, fragment);
    parts.add('views');
  },

  'attachment add'({ uploads }, { attachment }, { parts }) {
    uploads?.set(attachment.id, attachment);
    parts.add('uploads');
  },

  'attachment update'({ uploads }, { attachment }, { parts }) {
    if (uploads) replace(uploads, attachment.id, attachment);
    parts.add('uploads');
  },

  'attachment remove'({ uploads }, { attachment: { id } }, { parts }) {
    if (uploads) remove(uploads, id);
    parts.add('uploads');
  },

  invites_changed(state, _, { parts }) {
    state.invites = null;
    parts.add('invites');
  },

  realm_export(state, { exports }, { parts }) {
    state.exports = exports;
    parts.add('exports');
  },

  realm_export_consent({ consents }, { user_id, consented }, { parts }) {
    if (consented) consents?.add(user_id);
    else consents?.delete(user_id);
    parts.add('consents');
  },

  muted_topics(state, { muted_topics }, changes) {
    if (state.own.muted_topics) setOwn(state, changes, { muted_topics });
  },

  user_topic(state, { stream_id, topic_name, last_updated, visibility_policy }, { parts }) {
    if (state.own.muted_topics) return;
    const key = topicKey(stream_id, topic_name);
    if (visibility_policy === 0) state.topics.delete(key);
    else state.topics.set(key, { stream_id, topic_name, last_updated, visibility_policy });
    parts.add('topics');
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
