import type { ProfileFieldRow } from '@parley/db';
import { type ProfileField, type PendingEvent, to, events } from '@parley/protocol';

const presentField = (field: ProfileFieldRow): ProfileField => ({
  id: field.id,
  type: field.type,
  name: field.name,
  hint: field.hint,
  field_data: field.fieldData,
  order: field.position,
  required: field.isRequired,
  editable_by_user: field.isEditableByUser,
  ...(field.isInSummary && { display_in_profile_summary: true as const }),
});

export const presentFields = (fields: ProfileFieldRow[]): ProfileField[] => fields.map(presentField);

/** Returns the event after any change of custom profile fields, for everyone: all fields in their order. */
export const profileFieldsEvent = (fields: ProfileFieldRow[]): PendingEvent =>
  to.everyone(events.customProfileFields({ fields: presentFields(fields) }));
