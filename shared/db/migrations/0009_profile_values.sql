-- The profiles of a realm are read by its fields, and deleting a field deletes its values.
create index custom_profile_values_field on custom_profile_values (field_id);
