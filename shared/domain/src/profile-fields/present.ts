import { type Draft, type ProfileField, events, to } from '@parley/protocol';

import type { FieldRow } from './find.ts';

const presentField = (field: FieldRow): ProfileField => ({
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

export const presentFields = (fields: FieldRow[]): ProfileField[] => fields.map(presentField);

/** What everyone is told after any change: all of the fields, in order. */
export const draftOfFields = (fields: FieldRow[]): Draft =>
  to.everyone(events.customProfileFields({ fields: presentFields(fields) }));
