import { defineModule } from '@pbxcore/module';
import { Contacts } from './contacts.js';
import { createDirectory } from './directory.js';
import { Incoming } from './incoming.js';

export default defineModule({
  resources: [Contacts, Incoming],
  callerName: (number, context) => createDirectory(context).nameOf(number),
});
