/** No telephone number is longer; what is, somebody made up, and its endings would fill the table. */
export const LONGEST_TAKEN_APART = 40;
