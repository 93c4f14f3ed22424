/** Employees with every value that an export and import could corrupt. */
export async function makeOddEmployees(made: (fields: object) => Promise<unknown>): Promise<void> {
  const names = [
    '=1+1',
    "'=x",
    "''+49",
    "O'Neill",
    '"quoted", said; he',
    '-5',
    '@home',
    '😀\u202eabc',
    "'",
    '+49',
  ];
  for (const user_username of names) await made({ user_username });
  await made({ sip_secret: '  "=,;\'  ', sip_manualattributes: '\r\n=a\r\nb\n"c",;' });
  await made({ sip_secret: "'=secret", sip_manualattributes: ' ', mobile_dialstring: '+4930-1' });
  await made({
    user_email: 'a@example.org',
    mobile_number: '+4930',
    fwd_ringlength: 0,
    sip_enableRecording: false,
  });
  await made({
    sip_transport: 'udp,tcp',
    sip_dtmfmode: 'info',
    sip_networkfilterid: '7',
    fwd_forwarding: '+1',
  });
  await made({ sip_transport: 'tls', sip_media_encryption: 'sdes' });
  await made({ outgoing_callerid: '+493055', call_class: 'national' });
  await made({ outgoing_callerid: 'anonymous', call_class: 'internal' });
  await made({ fwd_forwardingonbusy: 'busy', fwd_forwardingonunavailable: '202', mobile_dialstring: 'x' });
}
