/**
 * All modules that are loaded: what is not here cannot be attacked. Asterisk skips modules that a build lacks. Order
 * does not matter: it loads them by their dependencies. Not `bridge_native_rtp`: it routes voice around the engine, and
 * with it the digits that are pressed during a call.
 */
const MODULES = [
  'app_chanisavail app_db app_dial app_echo app_exec app_mixmonitor app_playback app_playtones app_queue app_read',
  'app_senddtmf app_softhangup app_stack app_transfer app_userevent app_verbose app_while app_blind_transfer',
  'app_attended_transfer',
  'bridge_builtin_features bridge_builtin_interval_features bridge_holding bridge_simple',
  'bridge_softmix chan_bridge_media chan_pjsip',
  'cel_custom res_cdrel_custom app_celgenuserevent',
  'codec_a_mu codec_alaw codec_ulaw codec_g722 codec_gsm codec_resample codec_opus_open_source',
  'format_pcm format_sln format_wav format_gsm res_format_attr_opus',
  'func_callerid func_channel func_cut func_db func_dialplan func_extstate func_global func_groupcount',
  'func_hangupcause func_logic func_math func_pjsip_aor func_pjsip_contact func_pjsip_endpoint func_rand',
  'func_sprintf func_strings func_timeout func_uri func_uuid func_base64 func_evalexten func_md5 func_lock',
  'pbx_config',
  'res_crypto res_musiconhold res_mutestream res_pjproject res_rtp_asterisk res_srtp res_timing_timerfd',
  'res_sorcery_astdb res_sorcery_config res_sorcery_memory',
  'res_pjsip res_pjsip_acl res_pjsip_authenticator_digest res_pjsip_caller_id res_pjsip_diversion',
  'res_pjsip_dlg_options res_pjsip_dtmf_info res_pjsip_empty_info res_pjsip_endpoint_identifier_ip',
  'res_pjsip_endpoint_identifier_user res_pjsip_header_funcs res_pjsip_logger',
  'res_pjsip_nat res_pjsip_outbound_authenticator_digest res_pjsip_outbound_registration res_pjsip_path',
  'res_pjsip_pubsub res_pjsip_refer',
  'res_pjsip_registrar res_pjsip_rfc3326 res_pjsip_sdp_rtp res_pjsip_session res_pjsip_sips_contact',
  'res_http_websocket res_geolocation',
]
  .join(' ')
  .split(' ');

export const renderModules = (): string =>
  ['[modules]', 'autoload=no', ...MODULES.map((name) => `load=${name}.so`), ''].join('\n');
