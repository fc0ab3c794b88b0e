// All dialects, by the names that the setting `--dialects` takes.

import type { DialectName } from '../../config/dialects.ts';
import { AWS_IOT } from './aws_iot.ts';
import type { Dialect } from './dialect.ts';
import { GOOGLE_GEOCODING } from './google_geocoding.ts';
import { HERE } from './here.ts';
import { LORA_CLOUD } from './lora_cloud.ts';
import { CHIRPSTACK, THINGS_STACK } from './lorawan_hooks.ts';
import { MOZILLA_SEARCH } from './mozilla_search.ts';
import { MYLNIKOV } from './mylnikov.ts';
import { NRF_CLOUD } from './nrf_cloud.ts';
import { OPENCELLID } from './opencellid.ts';
import { OWNTRACKS } from './owntracks.ts';
import { PHOTON } from './photon.ts';
import { UNWIRED } from './unwired.ts';

/** Every dialect. */
export const DIALECT_TABLE: Readonly<Record<DialectName, Dialect>> = {
  photon: PHOTON,
  'google-geocoding': GOOGLE_GEOCODING,
  here: HERE,
  'nrf-cloud': NRF_CLOUD,
  unwired: UNWIRED,
  'lora-cloud': LORA_CLOUD,
  opencellid: OPENCELLID,
  owntracks: OWNTRACKS,
  chirpstack: CHIRPSTACK,
  tts: THINGS_STACK,
  'aws-iot': AWS_IOT,
  'mozilla-search': MOZILLA_SEARCH,
  mylnikov: MYLNIKOV,
};
