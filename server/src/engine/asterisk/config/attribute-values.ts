/** False: the engine would refuse the value, and with it the whole account. */
type Reading = (value: string) => boolean;

const flag: Reading = (value) => /^(yes|no|true|false|on|off|1|0)$/i.test(value);
const integer =
  (min: number, max: number): Reading =>
  (value) =>
    /^\d{1,7}$/.test(value) && Number(value) >= min && Number(value) <= max;
const oneOf =
  (...words: string[]): Reading =>
  (value) =>
    words.includes(value);
/** Without characters that separate, end or evaluate anything. */
const word: Reading = (value) => /^[A-Za-z0-9_.+*#@-]{1,80}$/.test(value);
const user: Reading = (value) => /^[A-Za-z0-9_.+*-]{1,80}$/.test(value);
const trafficClass: Reading = (value) => /^(cs[0-7]|af[1-4][1-3]|ef)$/.test(value) || integer(0, 255)(value);
const groups: Reading = (value) => /^\d{1,2}([,-]\d{1,2}){0,20}$/.test(value);
const namedGroups: Reading = (value) => /^[A-Za-z0-9_-]{1,40}(,[A-Za-z0-9_-]{1,40}){0,20}$/.test(value);
const address: Reading = (value) => /^[0-9a-fA-F.:]{2,45}$/.test(value);

const CODECS = new Set(
  (
    'all ulaw alaw g722 g723 g726 g726aal2 g729 gsm ilbc opus speex speex16 speex32 lpc10 adpcm siren7 siren14 g719 ' +
    'slin slin12 slin16 slin24 slin32 slin44 slin48 codec2 h261 h263 h263p h264 h265 mpeg4 vp8 vp9'
  ).split(' '),
);
/** The engine refuses the whole account if one of its codecs is unknown. */
const codecs: Reading = (value) =>
  value.split(',').every((name) => CODECS.has(name.trim().replace(/^!/, '').toLowerCase()));

export type AttributeSection = 'endpoint' | 'aor' | 'auth';

/**
 * Attributes that an operator may set by hand, and their valid values. Left out on purpose: those that decide who is
 * let in and where a call goes (context, aors, auth, acl, permit, deny, set_var, transport, contact, type), that name
 * files, or that are valid only together with another (timers_min_se).
 */
export const ATTRIBUTES: Readonly<Record<AttributeSection, ReadonlyMap<string, Reading>>> = {
  endpoint: new Map<string, Reading>([
    ...Object.entries({
      '100rel': oneOf('no', 'required', 'peer_supported', 'yes'),
      allow: codecs,
      disallow: codecs,
      dtmf_mode: oneOf('rfc4733', 'inband', 'info', 'auto', 'auto_info', 'none'),
      media_encryption: oneOf('no', 'sdes'),
      media_address: address,
      timers: oneOf('no', 'yes', 'required', 'always', 'forced'),
      timers_sess_expires: integer(90, 86_400),
      rtp_keepalive: integer(0, 3600),
      rtp_timeout: integer(0, 86_400),
      rtp_timeout_hold: integer(0, 86_400),
      device_state_busy_at: integer(0, 1000),
      fax_detect_timeout: integer(0, 3600),
      t38_udptl_ec: oneOf('none', 'fec', 'redundancy'),
      t38_udptl_maxdatagram: integer(0, 65_535),
      connected_line_method: oneOf('invite', 'update'),
      redirect_method: oneOf('user', 'uri_core', 'uri_pjsip'),
      call_group: groups,
      pickup_group: groups,
      named_call_group: namedGroups,
      named_pickup_group: namedGroups,
      language: word,
      tone_zone: word,
      moh_suggest: word,
      accountcode: word,
      from_user: user,
      from_domain: word,
      contact_user: word,
      tos_audio: trafficClass,
      cos_audio: integer(0, 7),
      sub_min_expiry: integer(0, 86_400),
    }),
    ...(
      'accept_multiple_sdp_answers allow_overlap allow_subscribe allow_transfer asymmetric_rtp_codec direct_media ' +
      'disable_direct_media_on_nat bind_rtp_to_media_address fax_detect follow_early_media_fork force_avp force_rport ' +
      'g726_non_standard ice_support ignore_183_without_sdp inband_progress media_encryption_optimistic ' +
      'media_use_received_transport moh_passthrough notify_early_inuse_ringing preferred_codec_only refer_blind_progress ' +
      'rewrite_contact rpid_immediate rtcp_mux rtp_ipv6 rtp_symmetric send_connected_line send_diversion ' +
      'send_history_info send_pai send_rpid srtp_tag_32 suppress_q850_reason_headers t38_udptl t38_udptl_nat ' +
      'trust_connected_line trust_id_inbound trust_id_outbound use_avpf use_ptime user_eq_phone'
    )
      .split(' ')
      .map((key) => [key, flag] as const),
  ]),
  aor: new Map<string, Reading>(
    Object.entries({
      max_contacts: integer(1, 100),
      default_expiration: integer(60, 86_400),
      minimum_expiration: integer(10, 86_400),
      maximum_expiration: integer(60, 86_400),
      qualify_frequency: integer(0, 86_400),
      qualify_timeout: (value) => /^\d{1,2}(\.\d{1,3})?$/.test(value) && Number(value) > 0,
      remove_existing: flag,
      remove_unavailable: flag,
      support_path: flag,
    }),
  ),
  auth: new Map<string, Reading>([['nonce_lifetime', integer(5, 86_400)]]),
};
