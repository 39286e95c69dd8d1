/** The feature level that Parley advertises. Everything that the API introduced up to this level is supported. */
const featureLevel = 421;

/** The server's version as clients see it. Clients derive the release of the feature level from the leading "11.". */
const serverVersion = '11.0-parley-0.9.0';

/**
 * Version fields under two families of names: those of the API's documentation, and those that existing clients read.
 */
export const versionFields = {
  svc_version: serverVersion,
  svc_feature_level: featureLevel,
  svc_merge_base: serverVersion,
  zulip_version: serverVersion,
  zulip_feature_level: featureLevel,
  zulip_merge_base: serverVersion,
} as const;
