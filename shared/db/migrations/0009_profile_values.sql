-- All profiles of a realm are read by its fields; a field goes with its values.
create index custom_profile_values_field on custom_profile_values (field_id);
