/** The feature level that Parley advertises. Everything that the API introduced up to this level is supported. */
const featureLevel = 421;

/** The release of the API that has the feature level. Clients read it as a number, or by its parts. */
const apiRelease = '11.0';

/** The version of Parley itself. */
export const productVersion = '0.9.0';

/**
 * Version fields under two families of names: those of the API's documentation, and those that existing clients read.
 */
export const versionFields = {
  svc_version: apiRelease,
  svc_feature_level: featureLevel,
  svc_merge_base: apiRelease,
  zulip_version: apiRelease,
  zulip_feature_level: featureLevel,
  zulip_merge_base: apiRelease,
  parley_version: productVersion,
} as const;
