import * as actions from '@parley/actions';
import * as model from '@parley/model';
import { ProfileField, limits } from '@parley/protocol';
import { z } from 'zod';

import { endpoint, form, id } from '../endpoint/endpoint.ts';

const { profileFieldsPerRealm } = limits;

/** New values of a user's custom profile fields. */
export const profileValues = form.json(
  z
    .array(z.strictObject({ id: z.int(), value: z.union([z.string(), z.array(z.int())]).nullable() }))
    .max(profileFieldsPerRealm),
);

const fieldData = form.json(z.record(z.string(), z.unknown()));

export const profileFieldRoutes = [
  endpoint({
    method: 'GET',
    path: '/realm/profile_fields',
    summary: "Lists the organization's custom profile fields in their order.",
    since: null,
    errors: [],
    params: {},
    returns: { custom_fields: z.array(ProfileField) },
    async handle({ realm, snapshot }) {
      return {
        custom_fields: await snapshot((tx) => model.profileFields.presentRealmProfileFields(tx, realm.id)),
      };
    },
  }),

  endpoint({
    method: 'POST',
    path: '/realm/profile_fields',
    summary: 'Creates a custom profile field.',
    since: null,
    errors: [],
    requires: ['administrator'],
    isLong: true,
    params: {
      field_type: form.json(z.int()),
      // An external account of a known kind gets the name and hint of its kind.
      name: form.text().default(''),
      hint: form.text().default(''),
      field_data: fieldData.optional(),
      display_in_profile_summary: form.bool().default(false),
      required: form.bool().default(false),
      editable_by_user: form.bool().default(true),
    },
    returns: { id: z.int() },
    async handle({ actor, params, perform }) {
      const input = {
        name: params.name,
        hint: params.hint,
        type: params.field_type,
        fieldData: params.field_data,
        isRequired: params.required,
        isEditableByUser: params.editable_by_user,
        isInSummary: params.display_in_profile_summary,
      };
      const { field } = await perform(actions.profileFields.create, { actor, ...input });
      return { id: field.id };
    },
  }),

  endpoint({
    method: 'PATCH',
    path: '/realm/profile_fields',
    summary: 'Puts all custom profile fields into a new order.',
    since: null,
    errors: [],
    requires: ['administrator'],
    params: { order: form.json(z.array(id).max(profileFieldsPerRealm)) },
    returns: {},
    async handle({ actor, params, perform }) {
      await perform(actions.profileFields.reorder, { actor, order: params.order });
      return {};
    },
  }),

  endpoint({
    method: 'PATCH',
    path: '/realm/profile_fields/:field_id',
    summary: 'Changes a custom profile field.',
    since: null,
    errors: [],
    requires: ['administrator'],
    isLong: true,
    params: {
      field_id: form.json(z.int()),
      name: form.text().optional(),
      hint: form.text().optional(),
      field_data: fieldData.optional(),
      display_in_profile_summary: form.bool().optional(),
      required: form.bool().optional(),
      editable_by_user: form.bool().optional(),
    },
    returns: {},
    async handle({ actor, params, perform }) {
      const input = {
        id: params.field_id,
        name: params.name,
        hint: params.hint,
        fieldData: params.field_data,
        isRequired: params.required,
        isEditableByUser: params.editable_by_user,
        isInSummary: params.display_in_profile_summary,
      };
      await perform(actions.profileFields.edit, { actor, ...input });
      return {};
    },
  }),

  endpoint({
    method: 'DELETE',
    path: '/realm/profile_fields/:field_id',
    summary: 'Removes a custom profile field and everything that users have entered in it.',
    since: null,
    errors: [],
    requires: ['administrator'],
    params: { field_id: form.json(z.int()) },
    returns: {},
    async handle({ actor, params, perform }) {
      await perform(actions.profileFields.remove, { actor, id: params.field_id });
      return {};
    },
  }),

  endpoint({
    method: 'PATCH',
    path: '/users/me/profile_data',
    summary: "Sets the caller's values of custom profile fields.",
    since: null,
    errors: [],
    requires: ['human'],
    isLong: true,
    params: { data: profileValues },
    returns: {},
    async handle({ actor, params, perform }) {
      await perform(actions.profileFields.set, { actor, inputs: params.data });
      return {};
    },
  }),

  endpoint({
    method: 'DELETE',
    path: '/users/me/profile_data',
    summary: "Clears the caller's values of custom profile fields.",
    since: null,
    errors: [],
    requires: ['human'],
    params: { data: form.json(z.array(z.int()).max(profileFieldsPerRealm)) },
    returns: {},
    async handle({ actor, params, perform }) {
      const cleared = params.data.map((field) => ({ id: field, value: null }));
      await perform(actions.profileFields.set, { actor, inputs: cleared });
      return {};
    },
  }),
];
