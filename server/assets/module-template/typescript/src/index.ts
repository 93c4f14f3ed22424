import { defineModule } from '@pbxcore/module';
import { Notes } from './notes.js';

export default defineModule({ resources: [Notes] });
