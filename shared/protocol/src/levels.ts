/** The feature level Parley advertises: everything the contract introduced up to it is supported. */
export const featureLevel = 421;

/** The version of the server, as clients see it. Clients read a leading "11." as the release of the level. */
export const serverVersion = '11.0-parley-0.1.0';

/** Version fields under both families of names: the contract's, and those existing clients read. */
export const versionFields = {
  svc_version: serverVersion,
  svc_feature_level: featureLevel,
  svc_merge_base: serverVersion,
  zulip_version: serverVersion,
  zulip_feature_level: featureLevel,
  zulip_merge_base: serverVersion,
} as const;
