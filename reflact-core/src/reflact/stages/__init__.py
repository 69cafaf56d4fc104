"""The stages of a step: functions from data to data. Tools come by keyword; no stage reads or writes a file."""
