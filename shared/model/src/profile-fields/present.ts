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

/** What everyone is told after any change: all of the fields, in order. */
export const profileFieldsEvent = (fields: ProfileFieldRow[]): PendingEvent =>
  to.everyone(events.customProfileFields({ fields: presentFields(fields) }));
